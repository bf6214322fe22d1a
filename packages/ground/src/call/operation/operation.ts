import type { JsonSchema, OutputWriter, MaybePromise } from '@toolwright/json';
import type { ManifestEntry } from '@toolwright/manifest';
import type { ExtraServiceOptions, ExtraToolOptions } from '../../base/extended.js';
import type { AppSettings, ToolUi } from '../../base/app-settings.js';
import type {
  ContentAnnotations,
  Icon,
  PromptResult,
  ResourceCaching,
  ResourceResult,
  ToolAnnotations,
  ToolResult,
} from '../../base/content.js';
import type { Duration } from '../../base/options/option-schema.js';
import type { PolicyMap, PolicyOrigin } from '../../base/metadata/store.js';
import type { OperationKind } from '../../base/operation-kinds.js';
import type { Principal, RequestContext } from '../../base/request-context.js';
import type { InputRequired } from '../context/rounds.js';
import type { QuestionTable, ToolContext } from '../context/tool-context.js';

/** One call on its way through the pipeline. Each step may read what earlier steps set. */
export interface Call<O extends BoundOperation = BoundOperation> {
  readonly operation: O;
  readonly request: RequestContext;
  /**
   * The arguments as the client sent them. After `validate` has run, they are revived: dates are `Date`
   * objects, DTOs are instances.
   */
  arguments: Record<string, unknown>;
  /** Aborted when the call is cancelled, and at the deadline. */
  readonly signal: AbortSignal;
  /** The object that the method gets when it declares a `ToolContext` parameter. */
  readonly context: ToolContext;
  /**
   * Registers a function that runs when the call ends, however it ends. The function registered last runs
   * first. Errors are logged.
   */
  onEnd(cleanup: () => unknown): void;
}

export type Next<R> = () => MaybePromise<R>;

/** One step of a chain. It acts before and after `next()`, or it answers without calling `next()`. */
export type Step<O extends BoundOperation = BoundOperation, R = unknown> = (
  call: Call<O>,
  next: Next<R>,
) => MaybePromise<R>;

/** The result of a call, by the kind of its operation. */
export type OperationResult<O extends BoundOperation> = O extends BoundTool
  ? ToolResult
  : O extends BoundPrompt
    ? PromptResult
    : ResourceResult;

/**
 * Middleware around calls, for `server.use` and `@UseMiddleware`. `call.operation` is the bound operation
 * with its annotations; `kind` tells tools, prompts and resources apart. Write `Middleware<BoundTool>` for
 * middleware that handles one kind only.
 */
export type Middleware<O extends BoundOperation = BoundOperation> = {
  // This is a method so that TypeScript accepts middleware for one kind wherever middleware is expected:
  // `appliesTo` says which kinds it really gets.
  run(call: Call<O>, next: Next<OperationResult<O>>): MaybePromise<OperationResult<O>>;
}['run'];

/** An operation while it is planned. It cannot run yet. */
export type Planned<O extends BoundOperation = BoundOperation> = O extends BoundOperation
  ? Omit<O, 'run'>
  : never;

/**
 * Runs one call from start to end: the middleware, the method, and the shaping of its result. The protocol's
 * handlers call it. Everything that the call opened is closed when this settles, whether it succeeded or
 * failed.
 *
 * @param args the arguments as the client sent them; they are never changed
 * @returns the result, or `InputRequired` when the client must answer a question first
 * @throws {ProtocolError} which is answered as a JSON-RPC error
 */
export type Run<R> = (
  request: RequestContext,
  args: Readonly<Record<string, unknown>>,
) => MaybePromise<R | InputRequired>;

/** Decides whether a principal belongs to those whom an operation is for. It is called often: keep it cheap. */
export type Audience = (principal: Principal | undefined) => boolean;

/** How parts of a result are sent before the result. */
export interface ResultParts {
  /** Checks a part of a result by the output schema, and writes it as JSON. */
  readonly write: OutputWriter;
  /** The most bytes that all parts of one call may have. */
  readonly limit: number;
  /** Whether the items of a stream are parts by themselves: no middleware may change the result later. */
  hasItems(): boolean;
}

interface BoundBase {
  /** The published name. It is unique among the operations of its kind that one caller may see. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly meta?: Readonly<Record<string, unknown>>;
  /**
   * The annotations that the author wrote, and no others: the hints of a tool, or the annotations of a
   * resource's content.
   */
  readonly annotations: Readonly<ToolAnnotations & ContentAnnotations>;
  /** The effective policies. A policy of the method replaces the class's, which replaces the server's. */
  readonly policies: PolicyMap;
  /** The compiler's description of the operation. `undefined` for operations that were added at run time. */
  readonly entry?: ManifestEntry;
  /**
   * The values of options that packages have added to `@McpTool`, `@McpService` and `server.tools.add`, by name. An option
   * of the tool wins over one of its class.
   */
  readonly extra?: Readonly<ExtraToolOptions & ExtraServiceOptions>;
  /** Who the operation is for, if it is not for everybody. Only `true` lets a caller in. */
  readonly audience?: Audience;
  /** The typed questions that the operation may ask. */
  readonly questions?: QuestionTable;
  /** The version of a tool that has one. Every version answers to its own name, `search_pages.v1`. */
  readonly version?: string | undefined;
  /** The name that the newest version has. Limits, the audit log and metrics count all versions under it. */
  readonly versionOf?: string | undefined;
  /** There is a newer version: for everybody, or for the callers that the function lets in. */
  readonly isOutdated?: boolean | Audience;
  /** Lists do not show it. It can be called by its name. */
  readonly isUnlisted?: boolean;
  /** The place of the decorator, as `file:line:column`. Messages use it. */
  readonly location?: string;
  /** The steps of `run`, outermost first. `toolwright explain` shows them. */
  readonly plan?: readonly StepDescription[];
}

/** Whether and when calls of a tool become tasks (the Tasks extension). */
export interface ToolTask {
  /**
   * `required`: clients that cannot follow a task are refused. `optional`: such clients wait for the result.
   */
  readonly mode: 'optional' | 'required';
  /**
   * `immediate`: the task starts before the method runs. `explicit`: it starts when the method calls
   * `startTask`.
   */
  readonly start: 'immediate' | 'explicit';
  /**
   * True when the method may run again after its process was lost, because all its effects are inside `ctx.once`.
   * Tools that only read, or are idempotent, do not need it. It matters only on a task queue.
   */
  readonly rerun?: boolean;
  /**
   * How often a run that failed is repeated, on a task queue. Default 0. A failure is repeated if it was not
   * meant for the caller, or if it says `retryable: true`.
   */
  readonly retries?: number;
  /**
   * The pause before the first retry; each further one is twice as long, up to an hour. Default `'1s'`. More
   * than 0.
   */
  readonly backoff?: Duration;
}

/** What a deprecated tool says to its callers. */
export interface Deprecation {
  /** What to do about it, in the author's words. */
  readonly reason?: string | undefined;
  /** The name of the tool that does the work now. */
  readonly replacedBy?: string | undefined;
  /** Since when: a version of the server, or a date. */
  readonly since?: string | undefined;
}

/** What a link to the rest of a result means: a call of its tool, and what is made of the answer. */
export interface LinkedRest {
  readonly args: Readonly<Record<string, unknown>>;
  /** @throws {ProtocolError} when the call was refused or has failed */
  contents(result: ToolResult, uri: string): ResourceResult;
}

/** Opens the links to what was left out of the results of a tool. */
export interface LinkReader {
  /** @returns `undefined` for a link that is not of this caller and this tool, or that is too old */
  open(tool: BoundTool, request: RequestContext, uri: string): LinkedRest | undefined;
}

/** A tool that is ready to be called. */
export interface BoundTool extends BoundBase {
  readonly kind: 'tool';
  /**
   * The natural schemas, in JSON Schema 2020-12, without outside references. Arguments and results are
   * validated against them. `tools/list` publishes a client-safe form of them.
   */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** `inputSchema` without what the server has added for clients, which programs do not use. Present if it has. */
  readonly ownInput?: JsonSchema;
  /**
   * True when the schemas are published word for word, because the author gave an exact one. `'arguments'`: only the
   * arguments are the author's alone, and the server adds none.
   */
  readonly exactSchema?: boolean | 'arguments';
  /** True when the output is not an object. Older revisions then get `{ result: … }`. */
  readonly wrapOutput: boolean;
  /** How calls become tasks. `undefined`: calls are answered with their result. */
  readonly task?: ToolTask;
  /** Why callers should use another tool. Present only for a deprecated tool. */
  readonly deprecation?: Deprecation | undefined;
  /** The value of `_meta.ui` (MCP Apps). */
  readonly ui?: ToolUi;
  /** Present if the tool has a page and an output schema. */
  readonly parts?: ResultParts | undefined;
  /** The scopes that the list names, because the list also has the tool for callers that lack them. */
  readonly lockedScopes?: readonly string[];
  /** Present if results that are cut have a link to their rest. */
  readonly links?: LinkReader;
  /** The SHA-256 (hex) of the name, description, schemas and annotations. */
  readonly contract: string;
  readonly run: Run<ToolResult>;
}

export interface BoundPrompt extends BoundBase {
  readonly kind: 'prompt';
  readonly arguments: readonly { name: string; title?: string; description?: string; required: boolean }[];
  readonly complete: Readonly<Record<string, Complete>>;
  readonly run: Run<PromptResult>;
}

/** The page of a view. */
export interface BuiltPage {
  /** The file of the view, as the option `ui` names it. */
  readonly view: string;
  readonly bytes: number;
  /** When the pages were built, in milliseconds since the epoch. */
  readonly at: number;
}

export interface BoundResource extends BoundBase {
  readonly kind: 'resource';
  readonly uri: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly cache?: ResourceCaching;
  /** How a host shows the page. Present only for the page of an MCP App. */
  readonly ui?: AppSettings;
  /** What the page was made of, if a build has made it. It is not published. */
  readonly built?: BuiltPage;
  readonly run: Run<ResourceResult>;
}

export interface BoundResourceTemplate extends BoundBase {
  readonly kind: 'resourceTemplate';
  readonly uriTemplate: string;
  /** The schema of the template's variables. `undefined` for templates that were added at run time. */
  readonly inputSchema?: JsonSchema;
  readonly mimeType?: string;
  readonly cache?: ResourceCaching;
  readonly complete: Readonly<Record<string, Complete>>;
  readonly run: Run<ResourceResult>;
}

export type BoundOperation = BoundTool | BoundPrompt | BoundResource | BoundResourceTemplate;

/** The operations of one kind. */
export type OfKind<K extends OperationKind> = Extract<BoundOperation, { kind: K }>;

/**
 * Completes one argument from what the user has typed and from the other arguments that are already known.
 * The best match comes first.
 */
export interface Complete {
  /** @param call present when the guards have let the request through */
  (
    value: string,
    known: Readonly<Record<string, string>>,
    request: RequestContext,
    call?: Call,
  ): MaybePromise<readonly string[]>;
  /** All possible values, if they are known beforehand: the values of an enum, or a fixed list. */
  readonly values?: readonly string[];
}

/**
 * Why a chain has a step: a decorator on the method or the class, a server option, the tool's annotations,
 * its schema, or a default of the server.
 */
export type StepOrigin = PolicyOrigin | 'annotations' | 'schema' | 'default';

/** One step of a chain, as `toolwright explain` shows it. */
export interface StepDescription {
  readonly name: string;
  readonly origin: StepOrigin;
  /** The effective options, in a few words. */
  readonly detail?: string;
  /** Its arguments decide whether a call is stopped here at all, as with `when` of `@Confirm`. */
  readonly isConditional?: true;
}

/** How a call ended, if a step has set it. The audit log records it. */
export interface Verdict {
  outcome?: 'denied' | 'limited' | 'invalid' | 'timeout' | 'cancelled' | 'error';
  /** A stable error code. */
  reason?: string;
  /** The reference id that the caller got with a generic error. */
  reference?: string;
  /** What was thrown. It is set only for tasks on a queue. */
  error?: unknown;
  /** Whether the same call may succeed later. It is set together with `error`. */
  isRetryable?: boolean;
}
