import type { InexactNumber } from '@toolwright/json';

export type RequestId = string | number;

/** The caller, as the transport authenticated it. It never contains the raw token. */
export interface Principal {
  issuer?: string;
  subject: string;
  clientId?: string;
  /**
   * The customer of the application that the caller belongs to: an organisation, a workspace. Callers of different
   * tenants share nothing that a server keeps, also when they have the same issuer and subject. Not an empty text.
   */
  tenant?: string;
  scopes: readonly string[];
  claims?: Readonly<Record<string, unknown>>;
}

/** What the client says about itself. No security decision depends on it. */
export interface ClientDescription {
  info?: { name: string; version: string; title?: string };
  capabilities: Readonly<Record<string, unknown>>;
}

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** The requests that a server may send to a client in the middle of a call. */
export type ClientMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/**
 * The parts of a question that a client may or may not support: forms and pages in elicitation, tools in
 * sampling.
 */
export type AskMode = 'form' | 'url' | 'tools';

/** Is called when a request is cancelled. */
export interface CancellationObserver {
  cancel(reason: unknown): void;
}

/**
 * Tells whether a request was cancelled. It is not an `AbortSignal`, because making one costs more than
 * everything else in a small call.
 */
export interface Cancellable {
  readonly aborted: boolean;
  readonly reason: unknown;
  watch(observer: CancellationObserver): void;
  unwatch(observer: CancellationObserver): void;
}

/**
 * Asks the client for input. Authors use it in the same way on both eras. On 2026-07-28, a question without
 * an answer ends the round: the promise rejects with an internal signal, the call answers `input_required`,
 * and the method runs again from its start when the answer is there. On older revisions, the server sends the
 * question to the client as a request.
 */
export interface ClientInput {
  /**
   * Asks one question.
   *
   * @param key links the answer to its question in all rounds; it must be unique within the call
   * @returns the checked answer: it has the shape of `method`'s result, and accepted content fits the schema
   *   of the question
   * @throws {ProtocolError} -32021 when the client lacks the capability
   */
  ask(key: string, method: ClientMethod, params: Record<string, unknown>): Promise<Record<string, unknown>>;
  /**
   * True when the client declared the capability that `method` needs; with `mode`, also this mode of
   * elicitation, or tools in sampling.
   */
  supports(method: ClientMethod, mode?: AskMode): boolean;
  /**
   * The questions of this round that have no answer yet. If there are any, the call answers `input_required`.
   */
  readonly pending: ReadonlyMap<string, { method: ClientMethod; params: Record<string, unknown> }>;
  /** True from the second round on. The first round has already recorded the intent in the audit log. */
  readonly resumed: boolean;
  /**
   * True when the rate limits need not be charged again: an earlier round of this call was charged, and the
   * previous round made progress. After a round that made none, the call is charged again.
   */
  readonly paid: boolean;
  /**
   * The value that an earlier round of this call recorded under `key`, if any; on a queue, also the result of a step that an earlier
   * run has ended. It is sealed; the client never sees it.
   */
  recall(key: string): { value: unknown } | undefined;
  /** Records a JSON value for the later rounds of this call. */
  remember(key: string, value: unknown): void;
  /**
   * True when the call goes on as a task that a queue hands out. The run in this process is over, and what it
   * still brings is dropped.
   */
  readonly isHandedOver?: boolean;
  /**
   * Present where a run may be lost in the middle. The result of the step is stored before this settles.
   *
   * @param mayRerun whether the step runs again when an earlier run was lost in it
   * @throws {UnknownStepError} when an earlier run was lost in this step, and it may not run again
   */
  step?<T>(key: string, run: (step: StepAttempt) => T | Promise<T>, mayRerun: boolean): Promise<T>;
}

/** Options of a step (`once`). */
export interface StepOptions {
  /**
   * Whether the step runs again when an earlier run began it and its result was never stored. Default: true for tools
   * that are read-only or idempotent, false for all others: then the task fails. Set it where the step asks
   * `attempted`, or passes its `idempotencyKey` on.
   */
  rerun?: boolean;
}

/** What a step (`once`) learns about itself. */
export interface StepAttempt {
  /**
   * True when an earlier run began this step and its result was never stored. Nobody knows whether the step
   * took effect.
   */
  readonly attempted: boolean;
  /**
   * A text that is the same each time this step of this call runs. Pass it to services that do the same
   * request only once, such as payment services.
   */
  readonly idempotencyKey: string;
}

/** The W3C trace context as text, as messages and headers carry it. */
export interface TraceContext {
  traceparent?: string;
  tracestate?: string;
  baggage?: string;
}

/** Turns a call into a task (the Tasks extension). */
export interface TaskStart {
  /** True when the call has become a task: its caller has the answer, and the method runs on. */
  readonly started: boolean;
  /**
   * Turns the call into a task. Later calls of this method change nothing.
   *
   * @throws {ToolError} when there are too many tasks
   */
  start(): Promise<void>;
  /** Registers a function that runs when the call becomes a task. */
  onStart(listener: () => void): void;
  /**
   * True when a queue hands out the work of the task. `start` then ends the run in this process: it throws.
   */
  readonly isQueued?: boolean;
  /** Called with the reason when a run ends without a result of its method. */
  failed?(failure: CallFailure): void;
}

/** Why a call ended without a result of its method. */
export interface CallFailure {
  readonly outcome?: string;
  /** A stable error code. */
  readonly reason?: string;
  /** The reference id under which the log has the error. */
  readonly reference?: string;
  /** What was thrown, if something was. */
  readonly error?: unknown;
  /** True when the same call may succeed later: the error says so, or it was not meant for the caller. */
  readonly isRetryable?: boolean;
}

/**
 * A session of the older era, for code that keeps something as long as the session lasts. All requests of a session
 * have the same object, and no other session has it.
 */
export interface SessionHandle {
  /**
   * The session id. Nobody can guess it. Where callers are anonymous, it protects the session like a
   * password.
   */
  readonly id: string;
  /**
   * True when another process has opened the session, or this one before it forgot it. What was kept for the
   * session is not here.
   */
  readonly isResumed?: boolean;
  /**
   * Registers a function that runs when the session ends, however it ends. If the session has already ended,
   * the function runs at once.
   */
  onEnd(listener: () => void): void;
}

/** A result of one text, as JSON. Texts never change, so it is right for every result of the same text. */
export interface WrittenText {
  readonly text: string;
  readonly json: string;
}

/** A program that a call runs. Who observes it sees it without its secrets. */
export interface RunningProgram {
  /** The SHA-256 (hex) of its code. */
  readonly digest: string;
  readonly code: string;
  /** The sensitive texts and numbers that it has met: in arguments and results of its calls. */
  readonly secrets: Set<string>;
  /** What it has written to its log. */
  log?: string;
  /** Its result, as JSON. */
  result?: string;
  /** Why it has failed. It asks nothing more then. */
  error?: string;
}

/** The call inside of which a package has made another one. */
export interface ParentCall {
  /** The id of its audit records; `undefined` if it is not recorded. */
  readonly callId: string | undefined;
  /** Its number in traces, while somebody listens to calls. */
  readonly number: number | undefined;
  /** The program that makes the call, if one does. */
  readonly program?: RunningProgram | undefined;
  /** How the call inside has failed: a stable error code, and whether its method had begun, or code of the application around it. */
  failure?: readonly [code: string | undefined, hasBegun: boolean];
}

/** Everything that the protocol layer knows about one request. The pipeline reads it, and changes only `written`. */
export interface RequestContext {
  readonly id: RequestId;
  readonly era: Era;
  readonly revision: Revision;
  readonly principal: Principal | undefined;
  readonly client: ClientDescription;
  /**
   * Aborted when the caller cancels, when it disconnects (2026-07-28), or when the server gives the request
   * up.
   */
  readonly signal: AbortSignal;
  /**
   * The same as `signal`, for code that only needs to know whether the request was cancelled. It is cheaper.
   * If it is `undefined`, use `signal`.
   */
  readonly cancellation?: Cancellable;
  readonly progressToken: string | number | undefined;
  /** True while much of what was sent waits for the client. Reports of progress are joined then. */
  readonly isBehind?: boolean;
  /** The lowest level of log messages that the caller wants. `undefined`: send no log messages. */
  readonly logLevel: LogLevel | undefined;
  readonly trace: TraceContext;
  /** The address of the caller, as the transport knows it. */
  readonly ip: string | undefined;
  readonly transport: 'http' | 'stdio' | 'memory';
  /** The session. `undefined` on 2026-07-28, which has no sessions, and where sessions are turned off. */
  readonly session?: SessionHandle | undefined;
  /** The URI that `resources/read` asks for. Contents that a method returns without a URI get this one. */
  readonly uri?: string;
  readonly input: ClientInput;
  /** A long text of the result, as the audit log has written it. The answer does not write it again. */
  written?: WrittenText | undefined;
  /** Present when the operation may become a task and the client can follow one. */
  readonly task?: TaskStart;
  /** True when a client of this revision asks for a task. Otherwise the server decides. */
  readonly asksForTasks?: boolean;
  /** Present for a call that a package makes inside of another one. No model reads its result, so nothing of it is cut. */
  readonly parent?: ParentCall | undefined;
  /**
   * True for an inner call whose outcome an earlier round of the call around it has recorded: it is asked whether the caller may
   * still make it, and it is not made again. Nothing of it is recorded.
   */
  readonly isRecorded?: boolean;
  /**
   * The numbers of the arguments that are not what the client wrote, or may not be, in the few requests that have any.
   * Their paths begin at the arguments of the operation that is called.
   */
  readonly inexact?: readonly InexactNumber[] | undefined;
  /** True when nobody knows whether the client has ended its session elsewhere. Only tools that read are then called. */
  readonly isUnverified?: boolean;
  /**
   * The names of the claims that the principal had when a task began and that the task has not kept (`tasks.claims`). Who reads one
   * of them would take the caller for somebody without it.
   */
  readonly unkeptClaims?: readonly string[] | undefined;
  /**
   * Sends a notification that belongs to this request, on the request's own stream. The notification is
   * dropped when it cannot be sent.
   */
  notify(method: string, params: Record<string, unknown>): void;
}

/**
 * The version of a protocol revision, such as `2026-07-28`. `revisions` lists the ones that servers speak.
 */
export type Revision = `${number}-${number}-${number}`;

/**
 * How a conversation starts. `stateless`: every request carries its version and capabilities (from 2026-07-28
 * on). `stateful`: it starts with an `initialize` handshake, and a session may follow.
 */
export type Era = 'stateless' | 'stateful';
