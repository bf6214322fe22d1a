import type { OptionSchema } from '../base/options/option-schema.js';
import {
  callback,
  count,
  either,
  flag,
  group,
  listOf,
  named,
  no,
  objectWith,
  oneOf,
  positive,
  required,
} from '../base/options/rules.js';
import type { AuditSink } from '../ports/audit-sink.js';
import type { RateLimiter } from '../ports/rate-limiter.js';
import type { Principal } from '../base/request-context.js';
import { duration, type Duration } from '../base/duration.js';
import type { Undeclared } from './serialiser/output-node.js';
import type { BoundOperation, Middleware, Planned } from './operation/operation.js';
import { someKinds } from './operation/operation-kinds.js';
import { countedSpan } from './limits/rate-limit-rule.js';
import type { SecurityListener } from './security/security-event.js';

/** Middleware and the operations it is for; decided once per operation, at boot. */
export interface AttachedMiddleware<O extends BoundOperation = BoundOperation> {
  readonly middleware: Middleware<O>;
  /** Kinds of operations; default: all. */
  readonly appliesTo?: readonly O['kind'][];
  /** Default: all of these kinds. */
  when?(operation: Planned<O>): boolean;
}

/** What happens when the store of the limiter fails or takes longer than 50 ms. */
export type OnStoreError = 'local' | 'open' | 'closed';

export interface ServerRateLimit {
  /** Points a principal may use on one tool in `per`. Default 600. */
  points?: number;
  /** Default `'1m'`. */
  per?: Duration;
  /** Default `'local'`: a limiter in memory takes over; always `'closed'` for destructive tools. */
  onStoreError?: OnStoreError;
  /** Where the points are counted. Default: in the memory of this process. */
  limiter?: RateLimiter;
  /**
   * Count anonymous callers by address. Without it they all share one quota, so that one of them can use it up for
   * the others. Only where a trusted proxy, or no proxy at all, vouches for it.
   */
  anonymousByIp?: boolean;
}

export interface ServerConcurrency {
  /** Calls of one principal that run at a time; more wait in a queue. Default 32; `false` for no limit. */
  perPrincipal?: number | false;
  /**
   * Calls of all callers that run at a time. Default: no limit. From the first call of a principal on, anonymous callers
   * have half of it at most.
   */
  total?: number | false;
  /** Calls that may wait, of all principals together; beyond it calls are refused. Default 1,000. */
  queue?: number;
}

/**
 * How much work may run on after its calls were answered, since a method was deaf to its signal. Beyond it new calls are
 * refused with 503 and `Retry-After`, until some of that work is over. Principals and anonymous callers each have as much.
 */
export interface AbandonedWorkOptions {
  /** Of one tool, prompt or resource. Default 256; `false` for no limit. */
  perTool?: number | false;
  /** Of the whole server. Default 1,024; `false` for no limit. */
  total?: number | false;
}

export interface OutputOptions {
  /**
   * What nobody can see in text: terminal escapes, tag characters outside of flags, changes of direction that do not
   * end. Written as `\u{…}`, left out, or kept. Default `'escape'`. Structured content and resources stay as they are.
   */
  hidden?: 'escape' | 'drop' | 'keep';
  /** Most bytes of a tool's result. Default: no limit. */
  maxBytes?: number | false;
  /**
   * What is returned beyond what the output schema declares: left out, passed on, or refused like any output that breaks
   * its schema. Refused is also data, other than text and content, of a tool that declares no output. Default: `'drop'`,
   * and `'keep'` for results in the protocol's own form, such as another server's. `'allow'` is the former name of
   * `'keep'`.
   */
  undeclared?: Undeclared | 'allow';
  /**
   * False: results are written without generated code. Without it, that is how platforms do it that forbid `new Function`,
   * and what is called a few times only.
   */
  generate?: boolean;
}

/** How calls are guarded, for the whole server; decorators refine it for a class or a method. */
export interface PipelineOptions {
  /** Outermost first, inside of the built-in guards. */
  middleware?: readonly (Middleware | AttachedMiddleware)[];
  audit?: AuditSink | false;
  rateLimit?: ServerRateLimit | false;
  concurrency?: ServerConcurrency | false;
  /** `false` for no limit. */
  abandonedWork?: AbandonedWorkOptions | false;
  /** Default `'50s'`: most clients give up after a minute. */
  timeout?: Duration | false;
  /** Says who may see and use what; guards the call and filters the lists. Called often: keep it synchronous and cheap. */
  authorize?: (principal: Principal | undefined, operation: Omit<BoundOperation, 'run'>) => boolean;
  /** Ask before every tool with `destructiveHint: true`, as if it carried `@Confirm()`. */
  confirmDestructive?: boolean;
  /** `'always'`: run class-transformer and class-validator even where the schema says it all. Default `'auto'`. */
  validation?: 'auto' | 'always';
  /** Accept arguments that arrive as JSON in a string. Default false. */
  coerce?: boolean;
  output?: OutputOptions;
  /** Told of repeated denials, limits and malformed input. */
  onSecurity?: SecurityListener;
}

export const rateLimitOptions = {
  points: { ...positive, default: 600 },
  per: { ...countedSpan, default: '1m' },
  onStoreError: { ...oneOf('local', 'open', 'closed'), default: 'local' },
  limiter: objectWith('a rate limiter with consume', 'consume'),
  anonymousByIp: { ...flag, default: false },
} satisfies OptionSchema<ServerRateLimit>;

const slots = either(
  { expected: 'a number of calls from 1 on', accepts: (value) => typeof value === 'number' && value >= 1 },
  no,
);

export const concurrencyOptions = {
  perPrincipal: { ...slots, default: 32 },
  total: { ...slots, default: false },
  queue: { ...named('a number of calls', count), default: 1_000 },
} satisfies OptionSchema<ServerConcurrency>;

export const abandonedWorkOptions = {
  perTool: { ...slots, default: 256 },
  total: { ...slots, default: 1_024 },
} satisfies OptionSchema<AbandonedWorkOptions>;

export const outputOptions = {
  hidden: { ...oneOf('escape', 'drop', 'keep'), default: 'escape' },
  undeclared: oneOf('drop', 'keep', 'refuse', 'allow'),
  generate: { ...flag, default: true },
  maxBytes: { ...either(named('a number of bytes', positive), no), default: false },
} satisfies OptionSchema<OutputOptions>;

export const attachedMiddlewareOptions = {
  middleware: required(callback),
  appliesTo: someKinds,
  when: callback,
} satisfies OptionSchema<AttachedMiddleware>;

/** Those that a server passes on as they are. */
export const pipelineOptions = {
  middleware: listOf('a list of middleware', either(callback, group(attachedMiddlewareOptions))),
  rateLimit: either(group(rateLimitOptions), no),
  concurrency: either(group(concurrencyOptions), no),
  abandonedWork: either(group(abandonedWorkOptions), no),
  timeout: { ...either(duration, no), default: '50s' },
  authorize: callback,
  confirmDestructive: { ...flag, default: false },
  validation: { ...oneOf('auto', 'always'), default: 'auto' },
  coerce: { ...flag, default: false },
  output: group(outputOptions),
} satisfies OptionSchema<Omit<PipelineOptions, 'audit' | 'onSecurity'>>;
