import type {
  ClientDescription,
  LogLevel,
  Principal,
  RequestId,
  Revision,
  SessionHandle,
} from '@toolwright/ground/base/request-context';
import { SparseMap } from '@toolwright/ground/base/sparse-map';
import type { Outage } from '@toolwright/ground/call/limits/timed-store';
import { type Clock, monotonic } from '@toolwright/ground/ports/clock-and-ids';
import type { ServerEvent } from '@toolwright/ground/ports/event-bus';
import type { EventStore } from '@toolwright/ground/ports/event-store';
import type { SessionRecord } from '@toolwright/ground/ports/record-store';
import type { MaybePromise } from '@toolwright/json';
import type { RpcResponse } from '@toolwright/wire/json-rpc';
import { type MethodNames, notificationIn } from '@toolwright/wire/methods';
import type { Cancellation } from '@toolwright/wire/response-channel';
import { namesOf } from '@toolwright/wire/revisions';
import {
  RESOURCE_UPDATED,
  type Subscriber,
  changeNotifications,
  isListChange,
  listChanges,
} from './subscriptions.js';
import { isOwnQuestion, OpenQuestions, type AskRoute } from './open-questions.js';
import type { SessionMessage } from './session-peers.js';
import { SessionStreams, type OpenStream } from './session-streams.js';
import { dataOwnerDigest } from './session-id.js';

/** The claims that decide what a principal may do. */
function rightsOf(principal: Principal | undefined): string {
  return JSON.stringify([principal?.scopes, principal?.claims]);
}

/** The longest id of a request that can be cancelled at another process, in characters. */
const LONGEST_CANCELLED = 256;
const NO_SUBSCRIPTIONS: ReadonlySet<string> = new Set();

export interface SessionStart {
  id: string;
  /** Names the session in stores. */
  key: string;
  revision: Revision;
  client: ClientDescription;
  /** The key of the principal that the session belongs to. */
  owner: string;
  principal: Principal | undefined;
  /** False for a session that ends with its request: nothing can be kept for it. */
  lasting: boolean;
  /** True when another process has opened the session, or this one before it forgot it. */
  resumed?: boolean;
  /** When its id is no longer accepted, in milliseconds since the epoch. Default: never. */
  expires?: number;
  /** True when a connection carries everything that is sent for the session, and shows it to those who listen. */
  isConnection?: boolean;
  /** What keeps the messages of its streams. */
  events: EventStore | undefined;
  /** Present when other processes may serve the session, too. */
  shared: SharedSession | undefined;
}

/** What all sessions of a server use. */
export interface SessionPorts {
  readonly clock: Clock;
  /** How long a client has to answer a question, in milliseconds. */
  readonly answerMs: number;
  /** Notices when the store of events stops and starts to answer. */
  readonly outage: Outage;
  /** Whether this principal may read the resource with this URI now. */
  mayRead(principal: Principal | undefined, uri: string): boolean;
  /** Is called for each resource that the client begins to watch, here or at another process. */
  watched(uri: string): void;
  /** Is called for every message to the client of a session that belongs to no request. */
  announced(session: Session, text: string): void;
  /** Is called for every session that has ended, unless it existed only for one request. */
  ended(sessionId: string): void;
}

/** How sessions reach the other processes that serve them. */
export interface SharedSession {
  /** False when there are no other processes. */
  readonly hasPeers: boolean;
  tell(key: string, message: SessionMessage): void;
  /** Stores what the client has asked for. It never rejects. */
  keep(session: Session): MaybePromise<void>;
}

/**
 * What the older era remembers between requests: the handshake, open questions, running requests and
 * subscriptions.
 */
export class Session implements SessionHandle, Subscriber {
  readonly id: string;
  /** Names the session in stores. It is a digest of the id, because the id is like a password. */
  readonly key: string;
  readonly revision: Revision;
  /** Only of a revision that renames methods. */
  readonly names: MethodNames | undefined;
  readonly client: ClientDescription;
  readonly owner: string;
  readonly lasting: boolean;
  readonly isResumed: boolean;
  readonly expires: number;
  readonly running = new SparseMap<RequestId, Cancellation>();
  /**
   * True after the client sent `notifications/initialized`. From then on, the server may send it questions
   * and notifications.
   */
  initialized = false;
  /** The server chooses the level until the client sends `logging/setLevel`. */
  logLevel: LogLevel = 'info';
  /** When this process opened or resumed it, in milliseconds since the epoch. */
  readonly openedAt: number;
  /** When it was last used, on the monotonic clock. */
  lastUsed: number;
  /**
   * True while nobody can say whether the client has ended this session at another process. It may then only
   * read.
   */
  isUnverified = false;
  /** When this process last asked whether the client has ended it, on the monotonic clock. */
  checkedAt = Number.NEGATIVE_INFINITY;
  /** The principal of the latest request. It is always the owner, but its rights can change with each token. */
  principal: Principal | undefined;
  readonly #questions: OpenQuestions;
  readonly #shared: SharedSession | undefined;
  readonly #events: EventStore | undefined;
  readonly #isConnection: boolean;
  // Most sessions never need these. Servers keep thousands of sessions, and most of them are idle.
  #streams: SessionStreams | undefined;
  #subscriptions: Set<string> | undefined;
  #endListeners: (() => void)[] | undefined;
  #hasEnded = false;

  constructor(
    start: SessionStart,
    private readonly ports: SessionPorts,
  ) {
    const { resumed = false, expires = Infinity, isConnection = false } = start;
    this.id = start.id;
    this.key = start.key;
    this.revision = start.revision;
    this.names = namesOf(start.revision);
    this.client = start.client;
    this.owner = start.owner;
    this.principal = start.principal;
    this.lasting = start.lasting;
    this.isResumed = resumed;
    this.expires = expires;
    this.initialized = resumed;
    this.#questions = new OpenQuestions(this.names, ports.clock, ports.answerMs);
    this.#shared = start.shared;
    this.#events = start.events;
    this.#isConnection = isConnection;
    this.openedAt = ports.clock.now();
    this.lastUsed = monotonic(ports.clock);
  }

  /** Created when it is first read. */
  get streams(): SessionStreams {
    return (this.#streams ??= new SessionStreams({
      key: this.key,
      store: this.#events,
      clock: this.ports.clock,
      outage: this.ports.outage,
      tell: this.#shared?.hasPeers ? (message) => this.#tell(message) : undefined,
    }));
  }

  /** The client has come with this principal. If its rights have changed, the other processes hear of it. */
  comesAs(principal: Principal | undefined): void {
    const before = this.principal;
    if (principal === before) return;
    this.principal = principal;
    if (!principal || !this.#shared?.hasPeers || this.subscriptions.size === 0) return;
    if (rightsOf(principal) !== rightsOf(before)) this.#tell({ kind: 'principal', principal });
  }

  /** For operators. Looking at a session creates nothing. */
  get openedStreams(): readonly OpenStream[] {
    return this.#streams?.opened ?? [];
  }

  /** The resources whose changes the client wants to hear of. */
  get subscriptions(): ReadonlySet<string> {
    return this.#subscriptions ?? NO_SUBSCRIPTIONS;
  }

  onEnd(listener: () => void): void {
    if (this.#hasEnded) listener();
    else (this.#endListeners ??= []).push(listener);
  }

  /** True when somebody waits for something. The session must not be ended then. */
  get busy(): boolean {
    return this.running.size > 0 || this.#streams?.isWatched === true;
  }

  /** The client has finished its handshake. */
  initialize(): void {
    this.initialized = true;
    this.#tell({ kind: 'initialized' });
  }

  /**
   * The client does what it may only do after its handshake. Where other processes serve the session, too, one
   * of them has got `notifications/initialized`, and the client may be faster than the bus.
   */
  presumeInitialized(): void {
    if (this.#shared?.hasPeers) this.initialized = true;
  }

  setLogLevel(level: LogLevel): MaybePromise<void> {
    this.logLevel = level;
    return this.#keepRecord({ kind: 'level', level });
  }

  subscribe(uri: string): MaybePromise<void> {
    this.#add(uri);
    return this.#keepRecord({ kind: 'subscribed', uri });
  }

  unsubscribe(uri: string): MaybePromise<void> {
    this.#subscriptions?.delete(uri);
    return this.#keepRecord({ kind: 'unsubscribed', uri });
  }

  /** What the client has asked for. */
  get record(): SessionRecord {
    const { issuer, subject, tenant } = this.principal ?? {};
    return {
      logLevel: this.logLevel,
      subscriptions: [...this.subscriptions],
      ...(subject && { owner: dataOwnerDigest({ issuer, subject }) }),
      ...(tenant !== undefined && { tenant: dataOwnerDigest({ tenant }) }),
    };
  }

  /** Takes over what the client has asked for at another process. */
  restore({ logLevel, subscriptions }: SessionRecord): void {
    if (logLevel) this.logLevel = logLevel;
    this.#subscriptions = undefined;
    for (const uri of subscriptions) this.#add(uri);
  }

  #add(uri: string): void {
    (this.#subscriptions ??= new Set()).add(uri);
    this.ports.watched(uri);
  }

  /** Cancels a running request of the client, wherever it runs. */
  cancel(requestId: RequestId): void {
    if (this.#cancelHere(requestId) || String(requestId).length > LONGEST_CANCELLED) return;
    this.#tell({ kind: 'cancelled', requestId });
  }

  /** Asks the client, and waits for its answer. */
  ask(method: string, params: Record<string, unknown>, route: AskRoute): Promise<unknown> {
    return this.#questions.ask(method, params, route);
  }

  /** Takes the client's answer to a question, wherever it was asked. Nobody may be waiting for it any more. */
  answer(response: RpcResponse): void {
    if (!this.#questions.answer(response) && isOwnQuestion(response.id))
      this.#tell({ kind: 'answer', response });
  }

  /** Takes a message from another process that serves the session. */
  hearPeer(message: SessionMessage): void {
    if (message.kind === 'initialized') this.initialized = true;
    else if (message.kind === 'level') this.logLevel = message.level;
    else if (message.kind === 'subscribed') this.#add(message.uri);
    else if (message.kind === 'unsubscribed') this.#subscriptions?.delete(message.uri);
    else if (message.kind === 'principal') this.principal = message.principal;
    else if (message.kind === 'answer') this.#questions.answer(message.response);
    else if (message.kind === 'cancelled') this.#cancelHere(message.requestId);
    else this.#streams?.hear(message);
  }

  /** @returns false when no such request runs here */
  #cancelHere(requestId: RequestId): boolean {
    const cancellation = this.running.get(requestId);
    cancellation?.abort(new Error('The client cancelled the request.'));
    return cancellation !== undefined;
  }

  /** The others hear only the change: the whole record may be long, and each process changes its own. */
  #keepRecord(change: SessionMessage): MaybePromise<void> {
    this.#tell(change);
    return this.#shared?.keep(this);
  }

  #tell(message: SessionMessage): void {
    this.#shared?.tell(this.key, message);
  }

  watches(uri: string): boolean {
    return this.initialized && this.subscriptions.has(uri) && this.ports.mayRead(this.principal, uri);
  }

  /** Tells the client about a change, if it is listening, asked for such changes, and may read what has changed. */
  hear(event: ServerEvent): void {
    if (!this.initialized) return;
    if (isListChange(event.type)) this.#announce(changeNotifications[event.type].method);
    else if (event.type === 'resourceUpdated' && this.watches(event.uri)) {
      this.#announce(RESOURCE_UPDATED, { uri: event.uri });
    } else if (event.type === 'eventsMissed') {
      for (const type of listChanges) this.hear({ type });
      for (const uri of this.subscriptions) this.hear({ type: 'resourceUpdated', uri });
    }
  }

  #announce(method: string, params?: Record<string, unknown>): void {
    const text = notificationIn(this.names, method, params);
    if (this.#streams?.announce(text) && !this.#isConnection) this.ports.announced(this, text);
  }

  /** Ends the stream for changes, because the server stops. */
  end(): void {
    this.#streams?.endStandalone();
  }

  /** Ends everything that belongs to the session. */
  close(reason: unknown): void {
    for (const cancellation of this.running.values()) cancellation.abort(reason);
    this.#questions.rejectAll(reason);
    this.#streams?.end();
    this.#hasEnded = true;
    const listeners = this.#endListeners;
    this.#endListeners = undefined;
    if (this.lasting) this.ports.ended(this.id);
    for (const listener of listeners ?? []) listener();
  }
}
