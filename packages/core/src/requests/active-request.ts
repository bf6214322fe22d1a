import { reaches } from '../base/log.js';
import type {
  AskMode,
  ClientDescription,
  ClientInput,
  ClientMethod,
  LogLevel,
  RequestContext,
  RequestId,
  SessionHandle,
} from '../base/request-context.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import { InputPending } from '../call/context/rounds.js';
import type { BoundOperation } from '../call/operation/operation.js';
import type { RefusedRequest } from '../call/security/refusal-log.js';
import type { Envelope } from '../wire/classify.js';
import { type JsonObject, notificationText } from '../wire/json-rpc.js';
import type { ResponseChannel } from '../wire/response-channel.js';
import type { Codec, Features } from '../wire/revision-record.js';
import {
  capabilitiesOf,
  declares,
  missingCapability,
  readAnswer,
  requiredCapabilities,
} from './client-questions.js';

import type { Engine, Method } from './engine.js';

export type RequestDescription = Pick<Envelope, 'client' | 'logLevel' | 'progressToken' | 'trace'>;

/** What a request asks for, looked up once, when it is read. */
export interface RequestPlan {
  readonly codec: Codec;
  /** `undefined`: the revision has no such method. */
  readonly method: Method | undefined;
  /** What it calls by name, whether the caller may see it or not. */
  readonly operation: BoundOperation | undefined;
}

/** A request with everything that was found out about it before it is served. */
export interface PlannedRequest {
  readonly id: RequestId;
  readonly params: JsonObject;
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
  readonly params: JsonObject;
  readonly codec: Codec;
  readonly operation: BoundOperation | undefined;
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
  #ended = false;

  constructor(
    readonly engine: Engine,
    { id, params, plan, envelope }: PlannedRequest,
    readonly channel: ResponseChannel,
  ) {
    this.id = id;
    this.params = params;
    this.codec = plan.codec;
    this.operation = plan.operation;
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

  notify(method: string, params: Record<string, unknown>): void {
    // Nothing may follow the answer or a cancellation.
    if (this.#ended || this.channel.cancellation.aborted) return;
    if (method === 'notifications/message') {
      const threshold = this.logLevel;
      if (!threshold || !reaches(params['level'] as LogLevel, threshold)) return;
    }
    this.channel.send(notificationText(method, this.codec.notification(method, params)));
  }

  end(): void {
    this.#ended = true;
  }
}

interface Question {
  method: ClientMethod;
  params: JsonObject;
}

/** What earlier rounds of a call left behind, and what the client sent with this round. */
export interface RoundInput {
  /** The answers of earlier rounds, from the sealed state. */
  answers: ReadonlyMap<string, JsonObject>;
  /** The values of `remember`, from the sealed state. */
  memories: ReadonlyMap<string, unknown>;
  /** The keys of questions in earlier rounds, from the sealed state. */
  asked: ReadonlySet<string>;
  /** The client's `inputResponses`, not checked yet. */
  responses: JsonObject;
  resumed: boolean;
  /** See `ClientInput`. */
  paid: boolean;
}

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();
export const FIRST_ROUND: RoundInput = {
  answers: NOTHING,
  memories: NOTHING,
  asked: new Set(),
  responses: {},
  resumed: false,
  paid: false,
};

/** Questions on 2026-07-28: either the answer is already there, or the round ends with the question. */
export class StatelessInput implements ClientInput {
  #pending: Map<string, Question> | undefined;
  #answers: Map<string, JsonObject> | undefined;
  #memories: Map<string, unknown> | undefined;

  constructor(
    private readonly capabilities: Readonly<Record<string, unknown>>,
    private readonly features: Features,
    private readonly round: RoundInput = FIRST_ROUND,
  ) {}

  get pending(): ReadonlyMap<string, Question> {
    return this.#pending ?? NOTHING;
  }
  get answers(): ReadonlyMap<string, JsonObject> {
    return this.#answers ?? this.round.answers;
  }
  get memories(): ReadonlyMap<string, unknown> {
    return this.#memories ?? this.round.memories;
  }
  get resumed(): boolean {
    return this.round.resumed;
  }
  get paid(): boolean {
    return this.round.paid;
  }
  /** True when this round got an answer or did something, so that the next round continues from there. */
  get isFurther(): boolean {
    return this.answers.size > this.round.answers.size || this.remembersMore;
  }
  /** True when this round did something that must not be done again. */
  get remembersMore(): boolean {
    return this.memories.size > this.round.memories.size;
  }

  supports(method: ClientMethod, mode: AskMode = 'form'): boolean {
    return declares(this.capabilities, capabilitiesOf(method, mode), this.features);
  }

  ask(key: string, method: ClientMethod, params: JsonObject): Promise<JsonObject> {
    const required = requiredCapabilities(method, params);
    if (!declares(this.capabilities, required, this.features))
      return Promise.reject(missingCapability(required));
    const answer = this.answers.get(key) ?? this.#takeResponse(key, { method, params });
    if (answer) return Promise.resolve(answer);
    (this.#pending ??= new Map()).set(key, { method, params });
    return Promise.reject(new InputPending(key));
  }

  recall(key: string): { value: unknown } | undefined {
    return this.memories.has(key) ? { value: this.memories.get(key) } : undefined;
  }

  remember(key: string, value: unknown): void {
    (this.#memories ??= new Map(this.round.memories)).set(key, value);
  }

  /**
   * Only a question of an earlier round can have an answer. Only own keys count, because a `__proto__` member
   * is data. A question whose answer does not fit is asked again.
   */
  #takeResponse(key: string, { method, params }: Question): JsonObject | undefined {
    const { responses, asked } = this.round;
    if (!asked.has(key) || !Object.hasOwn(responses, key)) return undefined;
    const answer = readAnswer(method, params, responses[key]);
    if (answer) (this.#answers ??= new Map(this.round.answers)).set(key, answer);
    return answer;
  }
}
