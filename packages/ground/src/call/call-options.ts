import type { OptionSchema, Duration } from '../base/options/option-schema.js';
import {
  callback,
  count,
  duration,
  either,
  flag,
  group,
  listOf,
  named,
  no,
  oneOf,
  positive,
  required,
} from '../base/options/rules.js';
import type { AuditSink } from '../ports/audit-sink.js';
import type { Principal, RequestContext } from '../base/request-context.js';
import type { Undeclared } from '@toolwright/json';
import type { OperationKind } from '../base/operation-kinds.js';
import type { BoundOperation, Middleware, OfKind, Planned } from './operation/operation.js';
import { type ErrorRule, errorRules } from './own-errors.js';
import { someKinds, type MayRead, type ResourceVariables } from './operation/registry.js';
import { countedSpan, type LimitKey, type LimitedPoints } from './limits/rate-limits.js';
import type { SecurityListener } from './security/security-monitor.js';

/** The operations that middleware runs around. Their kinds decide what its `next()` returns. */
export interface AttachOptions<K extends OperationKind = OperationKind> {
  /** The kinds of operations that it runs around. Default: all kinds. */
  readonly appliesTo?: readonly K[];
  /** Chooses among the operations of these kinds. Default: all of them. */
  when?(operation: Planned<OfKind<K>>): boolean;
}

/**
 * Middleware, and the operations that it runs around. The server decides this once per operation, at boot.
 */
export interface AttachedMiddleware<O extends BoundOperation = BoundOperation> extends AttachOptions<
  O['kind']
> {
  readonly middleware: Middleware<O>;
}

/**
 * What the server does when the limiter's store fails, or takes longer than 50 ms to answer. `'local'`: a
 * limiter in memory takes over. `'open'`: the call goes on without a limit. `'closed'`: the call is refused.
 */
export type OnStoreError = 'local' | 'open' | 'closed';

export interface ServerRateLimit {
  /**
   * The points that a principal may use on one tool within `per`. A function says it for each principal, such as by
   * the plan of its tenant. Default 600.
   */
  points?: LimitedPoints;
  /** The span of time in which the points are counted. Default `'1m'`. More than 0, at most 24 days. */
  per?: Duration;
  /** Default `'local'`: a limiter in memory takes over. Destructive tools always use `'closed'`. */
  onStoreError?: OnStoreError;
  /**
   * Returns a text; calls with the same text share the points, within a tenant. Default: each principal has its own
   * points.
   *
   * @example
   * key: ({ principal }) => principal?.tenant ?? 'none'
   */
  key?: LimitKey;
  /** Counts the calls of all tools, prompts and resources together. Default false: each has its own points. */
  acrossTools?: boolean;
  /**
   * Counts anonymous callers by their address. Default false: all anonymous callers share one quota, so one
   * of them can use it up for the others. Turn this on only where the address can be trusted: behind a proxy
   * that you trust, or with no proxy at all.
   */
  anonymousByIp?: boolean;
}

/** How many calls may run at a time, and how much work may run on after its call was answered. */
export interface ServerConcurrency {
  /**
   * How many calls of one principal may run at a time. Further calls wait in a queue. Default 32; `false` for
   * no limit.
   */
  perPrincipal?: number | false;
  /**
   * How many calls of one tenant (`principal.tenant`) may run at a time, in each process. Further calls wait. A caller without
   * a tenant counts as one. Default: no limit.
   */
  perTenant?: number | false;
  /**
   * How many calls of all callers may run at a time. Default: no limit. As soon as a principal has made its
   * first call, anonymous callers may use at most half of these slots.
   */
  total?: number | false;
  /** How many calls may wait, of all principals together. Further calls are refused. Default 1,000. */
  queue?: number;
  /** Limits work that runs on after its call was answered. `false` for no limit. */
  abandonedWork?: AbandonedWorkOptions | false;
}

/**
 * How much abandoned work may run. A method that ignores its abort signal runs on after its call was
 * answered: this is abandoned work. At the limit, new calls are refused with status 503 and `Retry-After`,
 * until some of that work has ended. Principals and anonymous callers have separate limits of the same size.
 */
export interface AbandonedWorkOptions {
  /** The limit for each tool, prompt or resource. Default 256; `false` for no limit. */
  perTool?: number | false;
  /** The limit for the whole server. Default 1,024; `false` for no limit. */
  total?: number | false;
}

/** How arguments are read and checked. */
export interface InputOptions {
  /**
   * `'always'` runs class-transformer and class-validator even where the schema already checks everything.
   * Default `'auto'`.
   */
  validation?: 'auto' | 'always';
  /** Accepts arguments that arrive as JSON inside a string. Default false. */
  coerce?: boolean;
}

export interface OutputOptions {
  /**
   * What happens to characters in text that a reader cannot see: terminal escapes, tag characters that are
   * not part of a flag, and changes of text direction that are never closed. `'escape'` (default) writes them
   * as `\u{…}`, `'drop'` leaves them out, `'keep'` leaves them as they are. Structured content and resources
   * are never changed.
   */
  hidden?: 'escape' | 'drop' | 'keep';
  /** The largest result of a tool, in bytes. Default: no limit. */
  maxBytes?: number | false;
  /**
   * What happens to returned data that the output schema does not declare. `'drop'` leaves it out. `'keep'`
   * passes it on. `'refuse'` answers with an error, as for any output that breaks its schema. `'refuse'` also
   * rejects data from a tool that declares no output; text and content blocks are still allowed. Default:
   * `'drop'`. Results in the protocol's own form, such as those of another server, default to `'keep'`.
   */
  undeclared?: Undeclared;
}

/**
 * How calls are guarded, for the whole server. Decorators refine these options for one class or one method.
 */
export interface PipelineOptions {
  /** The first middleware is the outermost. All of it runs inside the built-in guards. */
  middleware?: readonly (Middleware | AttachedMiddleware)[];
  audit?: AuditSink | false;
  rateLimit?: ServerRateLimit | false;
  /**
   * How many calls may run at a time. `false`: any number. Abandoned work then still has its default limits;
   * `{ perPrincipal: false, abandonedWork: false }` takes off both.
   */
  concurrency?: ServerConcurrency | false;
  /**
   * How long a call may work. Default `'50s'`, because most clients give up after a minute. More than 0;
   * `false`: any time.
   */
  timeout?: Duration | false;
  /**
   * Returns true when this principal may see and use this operation. The server asks it before every call,
   * and for every entry of a list. It is called often, so keep it synchronous and cheap.
   *
   * @param uri the URI of the resource that is read or watched; `undefined` for tools and prompts, and for a
   *   template in a list
   * @param variables the values of the template's variables, wherever there is a `uri`
   */
  authorize?: (
    principal: Principal | undefined,
    operation: Omit<BoundOperation, 'run'>,
    uri?: string,
    variables?: ResourceVariables,
  ) => boolean;
  /**
   * Returns true when this principal may read the resource at this URI. The server asks it before every read and
   * every subscription, before every notification of an update, and for every resource with a fixed URI in a list. It
   * is asked in addition to `authorize` and `@RequireScopes`. Only `true` lets a caller in, so a promise lets nobody
   * in. It is called often: keep it synchronous and cheap.
   *
   * @param variables the values of the template's variables, as text; `{}` for a resource with a fixed URI
   * @example
   * mayRead: (principal, resource, uri, { id }) => resource.name !== 'ticket' || tickets.isOwner(principal?.subject, id)
   */
  mayRead?: MayRead;
  /**
   * Runs around everything of yours that runs for a call: keys and points of limits, validators, the words of `@Confirm`,
   * middleware, the method, the items of a stream, clean-ups, constructors of services in request scope, completions, tasks
   * and scheduled runs. It is the place of a transaction, or of what belongs to a tenant. It runs once for each call, and
   * once for each round of a call that asks its user; `for`, `authorize`, `mayRead` and policy engines are asked before.
   *
   * It may be async. `run()` rejects with the error of the method, so that you can roll back. What you throw is answered
   * like an error of the method, and what you return is ignored. Call `run` exactly once: otherwise the call fails.
   *
   * @example
   * around: (principal, run, { tenant }) => tenants.run({ tenant }, run)
   */
  around?: Around;
  /** Asks the user before every tool with `destructiveHint: true`, as if the tool carried `@Confirm()`. */
  confirmDestructive?: boolean;
  /**
   * Whether operations stand in the lists of callers that lack their scopes. `'listed'`: they do, each tool with
   * `securitySchemes`, so that a model can choose the tool and its client can ask the person for the scope. A call is
   * refused all the same. `@RequireScopes('x', { whenMissing })` decides for one operation. Default `'hidden'`.
   */
  lockedTools?: 'hidden' | 'listed';
  /** How arguments are read and checked. */
  input?: InputOptions;
  output?: OutputOptions;
  /**
   * What callers read of the errors of your application, for everything of yours that runs for a call. Each entry has a
   * class, and `'show'` for the message of the error or a function that returns a text. The nearest class counts. Other
   * errors, but `ToolError`, are answered with a generic text and a reference, and logged.
   *
   * @example
   * errors: [[OrderError, 'show'], [NotFoundError, ({ entity }) => `There is no such ${entity}.`]]
   */
  errors?: readonly ErrorRule[];
  /** Is called when a caller is denied or limited again and again, or keeps sending malformed input. */
  onSecurity?: SecurityListener;
}

export const rateLimitOptions = {
  points: { ...either(positive, callback), default: 600 },
  per: { ...countedSpan, default: '1m' },
  key: callback,
  acrossTools: { ...flag, default: false },
  onStoreError: { ...oneOf('local', 'open', 'closed'), default: 'local' },
  anonymousByIp: { ...flag, default: false },
} satisfies OptionSchema<ServerRateLimit>;

const slots = either(
  { expected: 'a number of calls from 1 on', accepts: (value) => typeof value === 'number' && value >= 1 },
  no,
);

export const abandonedWorkOptions = {
  perTool: { ...slots, default: 256 },
  total: { ...slots, default: 1_024 },
} satisfies OptionSchema<AbandonedWorkOptions>;

export const concurrencyOptions = {
  perPrincipal: { ...slots, default: 32 },
  perTenant: { ...slots, default: false },
  total: { ...slots, default: false },
  queue: { ...named('a number of calls', count), default: 1_000 },
  abandonedWork: either(group(abandonedWorkOptions), no),
} satisfies OptionSchema<ServerConcurrency>;

const inputOptions = {
  validation: { ...oneOf('auto', 'always'), default: 'auto' },
  coerce: { ...flag, default: false },
} satisfies OptionSchema<InputOptions>;

export const outputOptions = {
  hidden: { ...oneOf('escape', 'drop', 'keep'), default: 'escape' },
  undeclared: oneOf('drop', 'keep', 'refuse'),
  maxBytes: { ...either(named('a number of bytes', positive), no), default: false },
} satisfies OptionSchema<OutputOptions>;

export const attachedMiddlewareOptions = {
  middleware: required(callback),
  appliesTo: someKinds,
  when: callback,
} satisfies OptionSchema<AttachedMiddleware>;

/** The options that the server passes on unchanged. */
export const pipelineOptions = {
  middleware: listOf('a list of middleware', either(callback, group(attachedMiddlewareOptions))),
  rateLimit: either(group(rateLimitOptions), no),
  concurrency: either(group(concurrencyOptions), no),
  timeout: { ...either(duration, no), default: '50s' },
  authorize: callback,
  mayRead: callback,
  around: callback,
  confirmDestructive: { ...flag, default: false },
  lockedTools: { ...oneOf('hidden', 'listed'), default: 'hidden' },
  input: group(inputOptions),
  output: group(outputOptions),
  errors: errorRules,
} satisfies OptionSchema<Omit<PipelineOptions, 'audit' | 'onSecurity'>>;

/** A call, as `around` sees it. */
export interface AroundCall {
  readonly request: RequestContext;
  /** What is called. All versions of a tool have its bare name, with their `version` beside it. */
  readonly operation: BoundOperation;
  /** The tenant of the caller. */
  readonly tenant: string | undefined;
}

/**
 * Runs around everything that an application's own code does for a call.
 *
 * @param principal the caller; `undefined` over stdio, for anonymous callers and for scheduled runs
 * @param run does the call. Call it once. It rejects with the error of the method
 */
export type Around = (
  principal: Principal | undefined,
  run: () => Promise<void>,
  call: AroundCall,
) => unknown;
