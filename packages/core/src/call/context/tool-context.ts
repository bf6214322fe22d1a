import type { ClientDescription, LogLevel, Principal, RequestId } from '../../base/request-context.js';

/** The answer to an elicitation. `content` is there, and fits the asked schema, when `action` is `accept`. */
export interface ElicitResult<T = Record<string, unknown>> {
  action: 'accept' | 'decline' | 'cancel';
  content?: T;
}

/** Form: a flat object of primitives to fill in. Url: a page to open; the outcome is learned elsewhere. */
export type ElicitRequest =
  | { message: string; schema: Record<string, unknown>; url?: undefined }
  | { message: string; url: string; schema?: undefined };

/** A question whose form the build made of the type argument: `ctx.elicit<Guests>('guests', { message })`. */
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

/** A model's answer that was asked for with a type. */
export interface TypedSampleResult<T> extends SampleResult {
  value: T;
}

/** Logs to the client, as far as it asked for logs. For operators' logs use a logger of your own. */
export type ContextLog = Record<LogLevel, (data: unknown, logger?: string) => void>;

/**
 * What a tool can know of and do in its call. Declare a parameter of this type and it is passed in; it is never part
 * of the schema. Its members may be taken out of it: `const { log, progress } = ctx`. A class only so that decorated signatures may name it under `isolatedModules`.
 *
 * @example
 * async export(format: string, ctx: ToolContext) { await ctx.progress(1, 3, 'reading'); … }
 */
export abstract class ToolContext {
  /** Aborted when the caller cancels or goes away, and at the deadline. Hand it to everything you await. */
  abstract readonly signal: AbortSignal;
  abstract readonly requestId: RequestId;
  /** Who calls, as the transport authenticated them; undefined for anonymous callers. */
  abstract readonly principal: Principal | undefined;
  abstract readonly client: ClientDescription;
  /**
   * The session that the call belongs to: of HTTP (`Mcp-Session-Id`), or the connection over stdio. Undefined on revision
   * 2026-07-28, which has no sessions, and with `sessions: false`. Whoever knows it can join the session of an anonymous
   * caller: do not show it, and do not log it.
   */
  abstract readonly sessionId: string | undefined;
  /** The client says that it shows MCP Apps: a page of `ui` may say what the text then need not repeat in full. */
  abstract readonly showsApps: boolean;
  /** W3C trace context of the call, when the caller sent one. */
  abstract readonly traceparent: string | undefined;
  abstract readonly log: ContextLog;
  /**
   * Tells the caller how far the work is. `done` must grow; calls that do not grow are ignored, and notifications are
   * coalesced to ten a second. Does nothing when the caller did not ask for progress.
   */
  abstract progress(done: number, total?: number, message?: string): void;
  /**
   * Asks the person behind the client. On 2026-07-28 the method runs again from its start when the answer arrives:
   * guard side effects before it with `once`.
   *
   * Without a `schema` or `url` the build makes the form of the type argument: a flat object of strings, numbers, booleans
   * and choices. The answer is checked and typed by it; dates arrive as `Date`.
   * @param key matches question and answer; unique within the call. A constant that no other question of the package
   *   has, where the form comes from the type
   * @throws {ProtocolError} -32021 when the client cannot be asked
   * @throws {ToolError} when an answer does not fit the type
   * @throws an error with the code `TW_QUESTION_UNKNOWN` when no build compiled the type
   */
  abstract elicit<T = Record<string, unknown>>(
    key: string,
    request: ElicitRequest | TypedElicitRequest,
  ): Promise<ElicitResult<T>>;
  /** Asks the client's model. Same rules as `elicit`. */
  abstract sample(key: string, request: SampleRequest): Promise<SampleResult>;
  /** Asks the client's model for a value: `value` fits the type argument. */
  abstract sample<T>(
    key: string,
    request: Omit<SampleRequest, 'tools' | 'toolChoice'>,
  ): Promise<TypedSampleResult<T>>;
  /** Asks for the client's root folders. Same rules as `elicit`. */
  abstract roots(key?: string): Promise<{ uri: string; name?: string }[]>;
  /** Runs `run` in the first round that reaches it and gives its (JSON) result in all later ones. */
  abstract once<T>(key: string, run: () => T | Promise<T>): Promise<T>;
  /**
   * Makes the call a task now, for tools with `task: { start: 'explicit' }`: the caller gets the task's handle, and
   * the method runs on; what it asks from then on is asked within the task, without running it again. Does nothing
   * when it is a task already or cannot become one.
   * @throws {ToolError} when there are too many tasks
   */
  abstract startTask(): Promise<void>;
  /** Runs when the call has ended, whichever way; last registered first. */
  abstract onCleanup(cleanup: () => unknown): void;
}
