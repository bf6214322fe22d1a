import type { MaybePromise } from '../../base/maybe-promise.js';
import type { JsonSchema, ManifestEntry } from '@toolwright/manifest';
import type { ResourceCaching } from '../../base/content/resource-caching.js';
import type { PolicyMap } from '../../base/metadata/policy.js';
import type {
  ContentAnnotations,
  Icon,
  PromptResult,
  ResourceResult,
  ToolAnnotations,
  ToolResult,
} from '../../base/content/content.js';
import type { RequestContext } from '../../base/request-context.js';
import type { AppSettings, ToolUi } from '../../base/app/app-settings.js';
import type { InputRequired } from '../context/input-required.js';
import type { QuestionTable } from '../questions/question-table.js';
import type { StepDescription } from './step-description.js';
import type { ToolContext } from '../context/tool-context.js';

/** One call on its way through the pipeline. Flows forward; each step may read what earlier ones put in place. */
export interface Call<O extends BoundOperation = BoundOperation> {
  readonly operation: O;
  readonly request: RequestContext;
  /** As the client sent them until `validate` ran; from then on revived (dates are `Date`, DTOs are instances). */
  arguments: Record<string, unknown>;
  /** Aborted on cancellation and at the deadline. */
  readonly signal: AbortSignal;
  /** What the method gets when it asks for a `ToolContext`. */
  readonly context: ToolContext;
  /** Runs when the call has ended, whichever way; last registered first. Errors are logged. */
  onEnd(cleanup: () => unknown): void;
}

export type Next<R> = () => MaybePromise<R>;

/** One step of a chain: acts before and after `next()`, or answers without calling it. */
export type Step<O extends BoundOperation = BoundOperation, R = unknown> = (
  call: Call<O>,
  next: Next<R>,
) => MaybePromise<R>;

/** What a call of an operation gives. */
export type ResultOf<O extends BoundOperation> = O extends BoundTool
  ? ToolResult
  : O extends BoundPrompt
    ? PromptResult
    : ResourceResult;

/**
 * Middleware around calls, as `server.use` and `@UseMiddleware` take it. `call.operation` is the bound operation with its
 * annotations; its `kind` says what it is. Middleware for one kind alone says so: `Middleware<BoundTool>`.
 */
export type Middleware<O extends BoundOperation = BoundOperation> = {
  // As a method, so that middleware for one kind fits where middleware is asked for: `appliesTo` says what it is given.
  run(call: Call<O>, next: Next<ResultOf<O>>): MaybePromise<ResultOf<O>>;
}['run'];

/** An operation as it is planned, when nothing can be run yet. */
export type Planned<O extends BoundOperation = BoundOperation> = O extends BoundOperation
  ? Omit<O, 'run'>
  : never;

/**
 * Runs one call from start to end: middleware, the method, shaping of its result. What the protocol's handlers call.
 * Everything that the call opened is closed when this has settled, whichever way it went.
 *
 * @param args as the client sent them; never changed
 * @returns the result, or `InputRequired` when the client has to answer first
 * @throws {ProtocolError} to be answered as a JSON-RPC error
 */
export type Run<R> = (
  request: RequestContext,
  args: Readonly<Record<string, unknown>>,
) => MaybePromise<R | InputRequired>;

interface BoundBase {
  /** As published; unique among its kind. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Explicit annotations only, exactly what the author wrote: a tool's hints, or those of a resource's content. */
  readonly annotations: Readonly<ToolAnnotations & ContentAnnotations>;
  /** The method's policies over the class's over the server's. */
  readonly policies: PolicyMap;
  /** What the compiler knows; absent for operations made at run time by hand. */
  readonly entry?: ManifestEntry;
  /** The typed questions that it may ask. */
  readonly questions?: QuestionTable;
  /** `file:line:column` of the decorator, for messages. */
  readonly location?: string;
  /** The steps of `run`, outermost first, for `toolwright explain`. */
  readonly plan?: readonly StepDescription[];
}

/** Whether calls of a tool become tasks (the Tasks extension), and when. */
export interface ToolTask {
  /** `required`: clients that cannot follow a task are refused; `optional`: they wait for the result. */
  readonly mode: 'optional' | 'required';
  /** `immediate`: before the method runs; `explicit`: when it calls `startTask`. */
  readonly start: 'immediate' | 'explicit';
}

/** A tool that is ready to be called. */
export interface BoundTool extends BoundBase {
  readonly kind: 'tool';
  /** Natural 2020-12 schemas, self-contained; validation uses these, `tools/list` publishes a client-safe form. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** Publish the schemas verbatim: the author gave an exact one. */
  readonly exactSchema?: boolean;
  /** The output is not an object; older revisions get `{ result: … }`. */
  readonly wrapOutput: boolean;
  /** Absent: calls are answered with their result. */
  readonly task?: ToolTask;
  /** What `_meta.ui` says of it (MCP Apps). */
  readonly ui?: ToolUi;
  /** SHA-256 (hex) of name, description, schemas and annotations. */
  readonly contract: string;
  readonly run: Run<ToolResult>;
}

export interface BoundPrompt extends BoundBase {
  readonly kind: 'prompt';
  readonly arguments: readonly { name: string; title?: string; description?: string; required: boolean }[];
  readonly complete: Readonly<Record<string, Complete>>;
  readonly run: Run<PromptResult>;
}

export interface BoundResource extends BoundBase {
  readonly kind: 'resource';
  readonly uri: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly cache?: ResourceCaching;
  /** There when it is the page of an MCP App: how that is to be shown. */
  readonly ui?: AppSettings;
  readonly run: Run<ResourceResult>;
}

export interface BoundResourceTemplate extends BoundBase {
  readonly kind: 'resourceTemplate';
  readonly uriTemplate: string;
  /** Schema of its variables; absent where it was added at run time. */
  readonly inputSchema?: JsonSchema;
  readonly mimeType?: string;
  readonly cache?: ResourceCaching;
  readonly complete: Readonly<Record<string, Complete>>;
  readonly run: Run<ResourceResult>;
}

export type BoundOperation = BoundTool | BoundPrompt | BoundResource | BoundResourceTemplate;

/** Completes one argument: what was typed so far, and the other arguments already known. Best match first. */
export interface Complete {
  /** @param call there once the guards have let the request through */
  (
    value: string,
    known: Readonly<Record<string, string>>,
    request: RequestContext,
    call?: Call,
  ): MaybePromise<readonly string[]>;
  /** All values there are, where they are known beforehand: an enum's, a fixed list. */
  readonly values?: readonly string[];
}
