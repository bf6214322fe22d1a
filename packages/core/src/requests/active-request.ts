import type { ProtocolError } from '@toolwright/ground/base/errors/errors';
import { reaches } from '@toolwright/ground/base/log';
import type {
  ClientDescription,
  ClientInput,
  LogLevel,
  Principal,
  RequestContext,
  RequestId,
  SessionHandle,
  WrittenText,
} from '@toolwright/ground/base/request-context';
import { InputRequired } from '@toolwright/ground/call/context/rounds';
import type { BoundOperation, BoundTool } from '@toolwright/ground/call/operation/operation';
import type { Registry } from '@toolwright/ground/call/operation/registry';
import type { RefusalLog, RefusedRequest } from '@toolwright/ground/call/security/refusal-log';
import type { Observed, Telemetry } from '@toolwright/ground/ports/telemetry';
import type { MaybePromise } from '@toolwright/json';
import type { Envelope } from '@toolwright/wire/classify';
import type { JsonObject } from '@toolwright/wire/json-rpc';
import { type MethodName, type MethodRecord, notificationIn } from '@toolwright/wire/methods';
import type { ResponseChannel } from '@toolwright/wire/response-channel';
import type { Codec } from '@toolwright/wire/revision-record';
import type { Revisions } from '@toolwright/wire/revisions';
import { StatelessInput } from './client-questions.js';
import type { ProtocolHost, RequestSettings, TaskOutcome, Traffic } from './engine.js';
import type { ForwardedCall } from './forwarded-call.js';
import type { ListPages } from './lists/list-pages.js';

export type RequestDescription = Pick<Envelope, 'client' | 'logLevel' | 'progressToken' | 'trace'>;

/** What a request asks for, looked up once, when it is read. */
export interface RequestPlan {
  readonly codec: Codec;
  /** `undefined`: the revision has no such method. */
  readonly method: Method | undefined;
  /** Its parameters, under the names of `wire/methods.ts`. */
  readonly params: JsonObject;
  /** What it calls, by whatever it names it, and whether the caller may see it or not. */
  readonly operation: BoundOperation | undefined;
  /** Present if the request names a tool whose calls mean others. `operation` is then the one that is meant. */
  readonly forwarded: ForwardedCall | undefined;
  /** See `RequestContext`. */
  readonly inexact: RequestContext['inexact'];
}

/** A request with everything that was found out about it before it is served. */
export interface PlannedRequest {
  readonly id: RequestId;
  /** The method as the client wrote it. */
  readonly method: string;
  readonly plan: RequestPlan;
  readonly envelope: RequestDescription;
}

/** What methods use of the session that a request came in. */
export interface RequestSession {
  /** True when nobody knows whether the client has ended it elsewhere. */
  readonly isUnverified: boolean;
  /** The URIs of the resources that it watches. */
  readonly subscriptions: ReadonlySet<string>;
  subscribe(uri: string): MaybePromise<unknown>;
  unsubscribe(uri: string): MaybePromise<unknown>;
  setLogLevel(level: LogLevel): MaybePromise<unknown>;
}

/** A request that is being answered, for its method and for the pipeline. It is one object from here to its answer. */
export class ActiveRequest implements RequestContext {
  readonly id: RequestId;
  /** The method as the client wrote it. */
  readonly method: string;
  readonly params: JsonObject;
  readonly codec: Codec;
  /**
   * The one operation that the request is about: behind a version, behind a tool whose calls mean others, behind a link to
   * the rest of a result, or behind a task. Nothing looks it up again.
   */
  operation: BoundOperation | undefined;
  forwarded: ForwardedCall | undefined;
  inexact: RequestContext['inexact'];
  readonly client: ClientDescription;
  readonly progressToken: string | number | undefined;
  readonly logLevel: LogLevel | undefined;
  /** The trace context of the caller; later that of the server's own span, if there is one. */
  trace: Envelope['trace'];
  /** Replaced when the request continues an earlier round, and in sessions. */
  input: ClientInput;
  /** The session, if it lasts longer than the request. */
  session: SessionHandle | undefined;
  /** The session, on the older era. */
  within: RequestSession | undefined;
  /** How the request failed, for telemetry. */
  failure: { type: string; message?: string } | undefined;
  /** True when an operation was asked to run. Its own audit then records how it ends. */
  begun = false;
  /** The reason of a refusal, when the error does not contain it. */
  refusal: Pick<RefusedRequest, 'reason' | 'detail'> | undefined;
  /** The URI that `resources/read` asks for, when a resource with this URI was found. */
  uri: string | undefined;
  /** A long text of the result that the audit log has already written as JSON. */
  written: WrittenText | undefined;
  #ended = false;

  constructor(
    readonly engine: Engine,
    { id, method, plan, envelope }: PlannedRequest,
    readonly channel: ResponseChannel,
  ) {
    this.id = id;
    this.method = method;
    this.params = plan.params;
    this.codec = plan.codec;
    this.operation = plan.operation;
    this.forwarded = plan.forwarded;
    this.inexact = plan.inexact;
    this.client = envelope.client;
    this.progressToken = envelope.progressToken;
    this.logLevel = envelope.logLevel;
    // Clients of the older era, and proxies, send the trace only in HTTP headers.
    this.trace = envelope.trace.traceparent ? envelope.trace : (channel.peer.trace ?? envelope.trace);
    this.input = new StatelessInput(envelope.client.capabilities, plan.codec.features);
  }

  get era() {
    return this.codec.era;
  }
  get features() {
    return this.codec.features;
  }
  get revision() {
    return this.codec.revision;
  }
  get asksForTasks() {
    return this.codec.features.requestedTasks;
  }
  get isUnverified() {
    return this.within?.isUnverified === true;
  }
  get principal() {
    return this.channel.peer.principal;
  }
  get ip() {
    return this.channel.peer.ip;
  }
  get transport() {
    return this.channel.peer.transport;
  }
  get signal() {
    return this.channel.cancellation.signal;
  }
  get cancellation() {
    return this.channel.cancellation;
  }
  get isBehind() {
    return this.channel.isBehind === true;
  }

  notify(method: string, params: Record<string, unknown>): void {
    // Nothing may follow the answer or a cancellation.
    if (this.#ended || this.channel.cancellation.aborted) return;
    if (method === 'notifications/message') {
      const threshold = this.logLevel;
      if (!threshold || !reaches(params['level'] as LogLevel, threshold)) return;
    }
    const { codec } = this;
    this.channel.send(notificationIn(codec.names, method, codec.notification(method, params)));
  }

  /** Says which operation the request is about, where only its method could find out. */
  isAbout(operation: BoundOperation | undefined): void {
    this.operation = operation;
    this.channel.isAbout?.(operation);
  }

  end(): void {
    this.#ended = true;
  }
}

/** The parts of one server's protocol that requests use. `createProtocol` puts them together. */
export interface Engine {
  readonly host: ProtocolHost;
  readonly settings: RequestSettings;
  readonly pages: ListPages;
  readonly rounds: CallRounds;
  readonly tasks: TaskCalls;
  /** Records requests that are refused before they become calls. */
  readonly refusals: RefusalLog;
  readonly traffic: Traffic;
  readonly telemetry: Telemetry;
  readonly revisions: Revisions;
  /** What each revision has, by its version. */
  readonly served: ReadonlyMap<string, ServedRevision>;
  /** Every method of any revision, by its name. */
  readonly methods: ReadonlyMap<string, Method>;
}

/** A revision, ready to be spoken. */
export interface ServedRevision {
  readonly codec: Codec;
  readonly methods: ReadonlyMap<string, Method>;
}

/** One method of the protocol: what is known of it, and what answers it. */
export interface Method extends MethodRecord, MethodHandler {
  /** Its name in `wire/methods.ts`. */
  readonly name: string;
  /** The parameter that the header `Mcp-Name` repeats. */
  readonly mirrored?: string | undefined;
}

/** What answers methods, by their names. */
export type MethodHandlers = Readonly<Partial<Record<MethodName, MethodHandler>>>;

/** What a method of the protocol does. */
export interface MethodHandler {
  /** Finds what the request is about. Those who observe messages ask it, too, so every operation is found here alone. */
  find?(registry: Registry, params: JsonObject, principal: Principal | undefined): BoundOperation | undefined;
  /**
   * Answers the request.
   *
   * @returns the result as JSON text; undefined when the request was cancelled and gets no answer
   * @throws {ProtocolError} which is answered as a JSON-RPC error
   */
  handle(request: ActiveRequest): MaybePromise<string | undefined>;
  /** What the span is named after. */
  target?(request: ActiveRequest): Observed['target'];
  /** The error for a name that does not exist, or that is hidden from the caller. */
  unknown?(request: ActiveRequest): ProtocolError;
}

/** Calls that may become tasks. */
export interface TaskCalls {
  /** True when some tool makes tasks, or did so earlier: clients may still ask for tasks from then. */
  readonly areOffered: boolean;
  /** True when a caller can be shown its tasks. */
  readonly areListed: boolean;
  /** Calls a tool. The server decides whether the call becomes a task, if the client can follow one. */
  call(request: ActiveRequest, tool: BoundTool, args: JsonObject): MaybePromise<TaskOutcome>;
  /** Calls a tool for a client that asks for a task (2025-11-25). */
  callAsTask(request: ActiveRequest, tool: BoundTool, args: JsonObject): MaybePromise<TaskOutcome>;
}

/** Calls that end with a question, and continue with its answer. */
export interface CallRounds {
  /** Runs a later round. Returns its result or its questions as JSON. */
  resume<R>(request: ActiveRequest, call: RoundCall<R>): MaybePromise<string>;
  /** Ends a round with its questions, as JSON. */
  question<R>(request: ActiveRequest, call: RoundCall<R>, outcome: InputRequired): string;
}

/** A call that may take several rounds. */
export interface RoundCall<R> {
  operation: BoundOperation;
  /** The content of the request, apart from the operation's name. */
  args: JsonObject;
  /** Whether the caller may know of it. Default: whether it may see the operation. */
  isVisible?(): boolean;
  /** Runs one round. */
  run(): MaybePromise<R | InputRequired>;
  encode(result: R): string;
}

/**
 * Runs a round, and returns its result or its questions as JSON. From now on, the operation's own audit records how the
 * request ends.
 */
export function runRound<R>(request: ActiveRequest, call: RoundCall<R>): MaybePromise<string> {
  request.begun = true;
  return finishRound(request, call, call.run());
}

export function finishRound<R>(
  request: ActiveRequest,
  call: RoundCall<R>,
  outcome: MaybePromise<R | InputRequired>,
): MaybePromise<string> {
  if (outcome instanceof Promise) return outcome.then((settled) => finishRound(request, call, settled));
  return outcome instanceof InputRequired
    ? request.engine.rounds.question(request, call, outcome)
    : call.encode(outcome);
}
