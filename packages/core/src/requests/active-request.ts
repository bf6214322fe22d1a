import { reaches } from '../base/log.js';
import type {
  ClientDescription,
  ClientInput,
  LogLevel,
  RequestContext,
  RequestId,
  SessionHandle,
} from '../base/request-context.js';
import type { RefusedRequest } from '../call/security/refusal-log.js';
import type { Session } from '../sessions/session.js';
import type { Envelope } from '../wire/envelope.js';
import { type JsonObject, notificationText } from '../wire/json-rpc.js';
import type { ResponseChannel } from '../wire/response-channel.js';
import type { Codec } from '../wire/revision-record.js';

export type RequestDescription = Pick<Envelope, 'client' | 'logLevel' | 'progressToken' | 'trace'>;

/** A request that is being answered. The pipeline sees this object until the request has ended. */
export class ActiveRequest implements RequestContext {
  readonly client: ClientDescription;
  readonly progressToken: string | number | undefined;
  /** The trace context of the caller; later that of the server's own span, if there is one. */
  trace: Envelope['trace'];
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
    readonly id: RequestId,
    private readonly codec: Codec,
    private readonly exchange: ResponseChannel,
    private readonly description: RequestDescription,
    /** Replaced when the request continues an earlier round. */
    public input: ClientInput,
    readonly session?: SessionHandle,
  ) {
    this.client = description.client;
    this.progressToken = description.progressToken;
    // Clients of the older era, and proxies, send the trace only in HTTP headers.
    this.trace = description.trace.traceparent
      ? description.trace
      : (exchange.peer.trace ?? description.trace);
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
    return this.exchange.peer.principal;
  }
  get ip() {
    return this.exchange.peer.ip;
  }
  get transport() {
    return this.exchange.peer.transport;
  }
  get signal() {
    return this.exchange.cancellation.signal;
  }
  get cancellation() {
    return this.exchange.cancellation;
  }
  get logLevel(): LogLevel | undefined {
    return this.description.logLevel;
  }

  notify(method: string, params: Record<string, unknown>): void {
    // Nothing may follow the answer or a cancellation.
    if (this.#ended || this.exchange.cancellation.aborted) return;
    if (method === 'notifications/message') {
      const threshold = this.logLevel;
      if (!threshold || !reaches(params['level'] as LogLevel, threshold)) return;
    }
    this.exchange.send(notificationText(method, this.codec.notification(method, params)));
  }

  end(): void {
    this.#ended = true;
  }
}

/** One request, and where its answer goes. */
export interface Incoming {
  readonly codec: Codec;
  readonly params: JsonObject;
  readonly request: ActiveRequest;
  readonly exchange: ResponseChannel;
  /** The session, on the older era. */
  readonly session?: Session;
}
