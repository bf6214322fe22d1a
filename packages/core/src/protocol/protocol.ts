import type { ConfigurationProblem } from '../base/errors/configuration-error.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import type { Principal, RequestId } from '../base/request-context.js';
import type { Era, Revision } from '../base/revision.js';
import type { Refusal } from '../call/security/refusal.js';
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import type { RpcNotification, RpcRequest, RpcResponse } from './messages/json-rpc.js';
import type { Reply } from './messages/reply.js';
import type { StatelessRequest } from './requests/classify.js';
import type { ResponseChannel, Peer } from './requests/response-channel.js';
import type { Arrival, Reading } from './requests/read-messages.js';
import type { StatefulRequest } from './requests/serve-stateful.js';
import type { Features } from './revisions/features.js';
import type { Connection } from './sessions/connection.js';
import type { OpenedSession } from './sessions/open-session.js';
import type { Session } from './sessions/session.js';

/** How a server serves the revisions that open with a handshake. */
export interface StatefulService {
  /** False: each of their requests stands alone, and the client cannot be asked anything. */
  readonly hasSessions: boolean;
  /** Milliseconds after which the client of a long call is sent away to come back for the answer. */
  readonly pollAfterMs: number | undefined;
}

/** What a server has open, for those who look after it. */
export interface ProtocolLoad {
  readonly sessions: number;
  /** `subscriptions/listen` streams. */
  readonly subscriptions: number;
  /** Requests that are being answered. */
  readonly requests: number;
}

/**
 * One server's protocol, as transports see it. A transport with one channel for a client, such as stdio, opens a
 * `connect`ion and hands over what arrives. A transport where each message comes by itself, such as HTTP, `read`s a
 * body and then calls what its kind asks for.
 */
export interface Protocol {
  readonly clock: Clock;
  readonly logger: Logger;
  /** True from `drain` on: every request is answered with that, and none is begun. */
  readonly draining: boolean;
  /** Undefined where only stateless revisions are served. */
  readonly stateful: StatefulService | undefined;
  /** Calls that were answered, at their deadline or when they were cancelled, and whose work runs on. */
  readonly abandoned: number;
  readonly load: ProtocolLoad;
  /** The era that a version belongs to. A later one than is served counts as stateless, as all after it will be. */
  eraOf(version: string): Era | undefined;
  /** What the wire of a revision can say. */
  featuresOf(revision: Revision): Features;
  /** Why nobody can be served as this principal; undefined when there is no reason. */
  findPrincipalFault(principal: Principal | undefined): ConfigurationProblem | undefined;
  /**
   * Tells what a parsed body is and whom it is for. What has to be refused is recorded and comes with its answer.
   *
   * @param arrival of transports with headers: how to read them; they are held against the message
   */
  read(body: unknown, arrival: Arrival): Reading;
  /** Answers a stateless request; undefined when it was given up. */
  serveStateless(request: StatelessRequest, exchange: ResponseChannel): MaybePromise<Reply | undefined>;
  /** Answers a stateful request, in its session; undefined when it was cancelled. */
  serveStateful(request: StatefulRequest, exchange: ResponseChannel): MaybePromise<Reply | undefined>;
  /** Answers `initialize`, with a session where there are sessions. */
  openSession(request: RpcRequest, peer: Peer): OpenedSession;
  /** The session of this id, if it is this principal's. */
  findSession(id: string, principal: Principal | undefined): Session | undefined;
  /** A session for one request, where there are no others. */
  detachedSession(revision: Revision, principal: Principal | undefined): Session;
  /** The client is done with its session. */
  endSession(id: string): void;
  /** Takes a message that wants no answer. */
  hear(session: Session, message: RpcNotification | RpcResponse): void;
  /**
   * Opens a channel for one client. It decides the era by its first message.
   *
   * @throws {ConfigurationError} when nobody can be served as this principal
   */
  connect(peer: Peer, send: (text: string) => void): Connection;
  /** The answer to a request that failed outside of the protocol. What nobody meant for the client is logged only. */
  errorReply(id: RequestId | undefined, error: unknown, era: Era): Reply;
  /** Records that a whole request was refused, whatever it was about. */
  noteRefusal(refusal: Omit<Refusal, 'operation' | 'name'>): void;
  /**
   * Stops without losing anything: new requests are refused, listen streams get their completing result, calls in
   * flight and tasks finish, and what was recorded of them is stored. The process may exit then. Abandoned work has a
   * second to end: what hears its signal needs no more, and nobody can say whether the rest ever ends. What is still
   * running is logged, by operation.
   *
   * @param graceMs how long calls in flight may take; default 30 s
   * @returns false when calls or tasks were still running after `graceMs`, or abandoned work is; tasks are stopped then
   * @throws what the audit log throws when it cannot store its records
   */
  drain(graceMs?: number): Promise<boolean>;
}
