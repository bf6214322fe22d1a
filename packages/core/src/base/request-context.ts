import type { Era, Revision } from './revision.js';

export type RequestId = string | number;

/** Who is calling, as the transport authenticated them. The raw token is never part of it. */
export interface Principal {
  issuer?: string;
  subject: string;
  clientId?: string;
  scopes: readonly string[];
  claims?: Readonly<Record<string, unknown>>;
}

/** What the client says of itself. Changes no decision about security. */
export interface ClientDescription {
  info?: { name: string; version: string; title?: string };
  capabilities: Readonly<Record<string, unknown>>;
}

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** Requests a server may ask a client to answer in the middle of a call. */
export type ClientMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** A way to ask that a client may or may not have: forms and pages of elicitation, tools in sampling. */
export type AskMode = 'form' | 'url' | 'tools';

/** Is told when a request was given up. */
export interface CancellationObserver {
  cancel(reason: unknown): void;
}

/** Whether a request was given up. Watching it takes no signal: to make one costs more than all else of a small call. */
export interface Cancellable {
  readonly aborted: boolean;
  readonly reason: unknown;
  watch(observer: CancellationObserver): void;
  unwatch(observer: CancellationObserver): void;
}

/**
 * Asking the client for input, the same for authors on both eras. On 2026-07-28 an unanswered question ends the
 * round (the promise rejects with an internal signal, the call answers `input_required`, and the method runs again
 * from its start with the answer there); on older revisions it is a request sent to the client.
 */
export interface ClientInput {
  /**
   * @param key matches question and answer across rounds; unique within the call
   * @returns the answer, checked: it has the shape of `method`'s result and accepted content fits the asked schema
   * @throws {ProtocolError} -32021 when the client lacks the capability
   */
  ask(key: string, method: ClientMethod, params: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** True when the client declared what `method` needs, with this mode of elicitation, or with tools in sampling. */
  supports(method: ClientMethod, mode?: AskMode): boolean;
  /** Questions asked and not answered in this round: the call then answers `input_required`. */
  readonly pending: ReadonlyMap<string, { method: ClientMethod; params: Record<string, unknown> }>;
  /** True from the second round on: the intent was audited in the first. */
  readonly resumed: boolean;
  /** The limits of this round were charged in an earlier one, and neither was it played back nor did that one stand still. */
  readonly paid: boolean;
  /** The value recorded under `key` in an earlier round of this call, if any. Sealed; never visible to the client. */
  recall(key: string): { value: unknown } | undefined;
  /** Records a JSON value for the later rounds of this call. */
  remember(key: string, value: unknown): void;
}

/** W3C trace context as text, the way messages and headers carry it. */
export interface TraceContext {
  traceparent?: string;
  tracestate?: string;
  baggage?: string;
}

/** How a call becomes a task (the Tasks extension). */
export interface TaskStart {
  /** It has become one: its caller has the answer, and the method runs on. */
  readonly started: boolean;
  /**
   * Makes it one, once; later calls change nothing.
   * @throws {ToolError} when there are too many tasks
   */
  start(): Promise<void>;
  /** Runs `listener` when it becomes one. */
  onStart(listener: () => void): void;
}

/**
 * One session of the older era, as those see it who keep something for as long as it lasts. The object itself stands for
 * the session: the same for all of its requests, and for no other's.
 */
export interface SessionHandle {
  /** Unguessable, and as good as a password where callers are anonymous. */
  readonly id: string;
  /** Runs `listener` when the session has ended, whichever way; at once when it has ended already. */
  onEnd(listener: () => void): void;
}

/** Everything the protocol layer knows about one request; the pipeline reads it, never changes it. */
export interface RequestContext {
  readonly id: RequestId;
  readonly era: Era;
  readonly revision: Revision;
  readonly principal: Principal | undefined;
  readonly client: ClientDescription;
  /** Aborted when the caller cancels or (2026-07-28) disconnects, or the server gives the request up. */
  readonly signal: AbortSignal;
  /** The same for who only wants to be told; where there is none, `signal` tells. */
  readonly cancellation?: Cancellable;
  readonly progressToken: string | number | undefined;
  /** Least level this caller wants to see; undefined: send no log messages at all. */
  readonly logLevel: LogLevel | undefined;
  readonly trace: TraceContext;
  /** Address of the peer as the transport vouches for it. */
  readonly ip: string | undefined;
  readonly transport: 'http' | 'stdio' | 'memory';
  /** Absent on 2026-07-28, which has no sessions, and where sessions are switched off. */
  readonly session?: SessionHandle | undefined;
  /** The URI that `resources/read` asks for; the contents that a method gives without a URI get this one. */
  readonly uri?: string;
  readonly input: ClientInput;
  /** There when the operation may become a task and the client can follow one. */
  readonly task?: TaskStart;
  /** Sends a notification that belongs to this request, on its own stream. Dropped when there is no way to. */
  notify(method: string, params: Record<string, unknown>): void;
}
