import type { JsonSchema } from '@toolwright/json';
import type { ExtraContext } from '../../base/extended.js';
import type { ToolError } from '../../base/errors/errors.js';
import type {
  ClientDescription,
  LogLevel,
  Principal,
  RequestId,
  StepAttempt,
  StepOptions,
} from '../../base/request-context.js';

/**
 * The answer to an elicitation. When `action` is `accept`, `content` is present and fits the schema of the
 * question.
 */
export interface ElicitResult<T = Record<string, unknown>> {
  action: 'accept' | 'decline' | 'cancel';
  content?: T;
}

/**
 * A question to the user. With `schema`, the user fills in a form: a flat object of primitive values. With
 * `url`, the user opens a page, and the method learns the outcome in some other way.
 */
export type ElicitRequest =
  | { message: string; schema: Record<string, unknown>; url?: undefined }
  | { message: string; url: string; schema?: undefined };

/**
 * A question whose form the build makes from the type argument: `ctx.elicit<Guests>('guests', { message })`.
 */
export interface TypedElicitRequest {
  message: string;
  schema?: undefined;
  url?: undefined;
}

export interface SampleRequest {
  messages: { role: 'user' | 'assistant'; content: unknown }[];
  maxTokens: number;
  systemPrompt?: string;
  modelPreferences?: Record<string, unknown>;
  stopSequences?: string[];
  temperature?: number;
  metadata?: Record<string, unknown>;
  tools?: Record<string, unknown>[];
  toolChoice?: Record<string, unknown>;
}

export interface SampleResult {
  role: 'user' | 'assistant';
  content: unknown;
  model: string;
  stopReason?: string;
}

/** The answer of the client's model to a typed request. */
export interface TypedSampleResult<T> extends SampleResult {
  value: T;
}

/**
 * Sends log messages to the client, at the levels that the client asked for. For logs that operators read,
 * use your own logger.
 */
export type ContextLog = Record<LogLevel, (data: unknown, logger?: string) => void>;

/**
 * What a tool can know and do during its call. Declare a parameter of this type, and the framework passes it
 * in. It is never part of the schema. You may take its members out of it: `const { log, progress } = ctx`. It
 * is a class, and not an interface, only so that decorated signatures may name it under `isolatedModules`.
 *
 * @example
 * async export(format: string, ctx: ToolContext) { await ctx.progress(1, 3, 'reading'); … }
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- see the interface below
export abstract class ToolContext {
  /** Aborted when the caller cancels or disconnects, and at the deadline. Pass it to everything you await. */
  abstract readonly signal: AbortSignal;
  abstract readonly requestId: RequestId;
  /** The caller, as the transport authenticated it; `undefined` for an anonymous caller. */
  abstract readonly principal: Principal | undefined;
  abstract readonly client: ClientDescription;
  /**
   * The session that the call belongs to: the HTTP session (`Mcp-Session-Id`), or the connection over stdio.
   * `undefined` on revision 2026-07-28, which has no sessions, and with `sessions: false`. Anyone who knows
   * the id can join the session of an anonymous caller, so do not show it and do not log it.
   */
  abstract readonly sessionId: string | undefined;
  /**
   * True when the client says that it shows MCP Apps. The text may then leave out details that the page of
   * `ui` shows.
   */
  abstract readonly showsApps: boolean;
  /** The W3C trace context of the call, if the caller sent one. */
  abstract readonly traceparent: string | undefined;
  abstract readonly log: ContextLog;
  /**
   * Tells the caller how far the work has come. `done` must grow; otherwise the report is ignored. At most ten
   * notifications are sent per second. Does nothing when the caller did not ask for progress.
   *
   * @param part what has come of the result since the last report, for the page of the tool: more items of a list, or some
   * properties of an object. It is checked against the output schema. Only clients that show MCP Apps get it
   */
  abstract progress(done: number, total?: number, message?: string, part?: unknown): void;
  /**
   * Asks the person behind the client. On 2026-07-28 the method runs again from its start when the answer
   * arrives, so guard earlier side effects with `once`.
   *
   * Without a `schema` or `url`, the build makes the form from the type argument: a flat object of strings,
   * numbers, booleans and choices. The answer is checked against that type. Dates arrive as `Date`.
   *
   * @param key links the answer to its question; it must be unique within the call. When the form comes from
   * the type, it must be a constant, and no other question of the package may use it
   * @throws {ProtocolError} -32021 when the client cannot be asked
   * @throws {ToolError} when an answer does not fit the type
   * @throws an error with the code `TW_QUESTION_UNKNOWN` when no build compiled the type
   */
  abstract elicit<T = Record<string, unknown>>(
    key: string,
    request: ElicitRequest | TypedElicitRequest,
  ): Promise<ElicitResult<T>>;
  /** Asks the client's model. The rules of `elicit` apply. */
  abstract sample(key: string, request: SampleRequest): Promise<SampleResult>;
  /** Asks the client's model for a value. `value` in the result fits the type argument. */
  abstract sample<T>(
    key: string,
    request: Omit<SampleRequest, 'tools' | 'toolChoice'>,
  ): Promise<TypedSampleResult<T>>;
  /** Asks for the client's root folders. The rules of `elicit` apply. */
  abstract roots(key?: string): Promise<{ uri: string; name?: string }[]>;
  /**
   * Calls `run` in the first round that reaches this line. Later rounds get the same result: JSON, or values such as a
   * `bigint`, a date, a map or bytes. An instance of a class of yours comes back as a plain object. In a task on a queue, the result is stored before this settles, and later runs get it, too. Operators
   * can read the key.
   *
   * A process may die after the step took effect and before its result is stored. Nobody knows then whether it
   * did. For tools that are read-only or idempotent, and with `rerun: true`, the next run calls `run` with
   * `attempted: true`. Otherwise the task fails.
   *
   * @example
   * const paid = await ctx.once('pay', ({ idempotencyKey }) => bank.pay(order, { idempotencyKey }), { rerun: true });
   */
  abstract once<T>(
    key: string,
    run: (step: StepAttempt) => T | Promise<T>,
    options?: StepOptions,
  ): Promise<T>;
  /**
   * Turns the call into a task now, for tools with `task: { start: 'explicit' }`. The caller gets the task's
   * handle, and the method runs on. Questions that the method asks from then on are asked within the task,
   * and the method does not start again. Where a queue hands out tasks, this throws instead: the method begins
   * anew in a worker, with the same answers and the results of `once`, and passes this line. Does nothing when
   * the call is a task already or cannot become one.
   *
   * @throws {ToolError} when there are too many tasks
   */
  abstract startTask(): Promise<void>;
  /**
   * Registers a function that runs when the call ends, however it ends. The function registered last runs
   * first.
   */
  abstract onCleanup(cleanup: () => unknown): void;
}

/** A question whose answer has a type, as the build compiled it. */
export interface TypedQuestion {
  readonly kind: 'elicit' | 'sample';
  /** The form, or the schema that a model's answer must fit. */
  readonly schema: JsonSchema;
  /** The schema in the form that models and their providers accept. */
  readonly published: JsonSchema;
  /**
   * Turns an answer into its type: it is checked, missing values get their defaults, and dates become `Date`.
   *
   * @throws {ToolError} when the answer does not fit
   */
  read(answer: unknown): Promise<unknown>;
  /** The error for an answer that is not even JSON. */
  unreadable(): ToolError;
}

/** Finds the questions that an operation may ask. */
export interface QuestionTable {
  /** The question with this key and kind; `undefined` if no build has seen one. */
  find(key: string, kind: TypedQuestion['kind']): TypedQuestion | undefined;
}

/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type --
   a package that adds a member also makes it */
export interface ToolContext extends ExtraContext {}
