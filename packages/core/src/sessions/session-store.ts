import type { ClientDescription, Principal, Revision } from '@toolwright/ground/base/request-context';
import { Outage } from '@toolwright/ground/call/limits/timed-store';
import { principalKey } from '@toolwright/ground/call/operation/keys';
import type { BootContext } from '@toolwright/ground/ports/boot-context';
import { monotonic } from '@toolwright/ground/ports/clock-and-ids';
import type { EventStore } from '@toolwright/ground/ports/event-store';
import type { Logger } from '@toolwright/ground/ports/logger';
import type { Peer } from '@toolwright/wire/response-channel';
import { type QuotaOwner, quotaOwnerOf } from '../requests/quota-pool.js';
import { Session, type SessionPorts, type SessionStart } from './session.js';
import {
  randomSessionId,
  risenKey,
  sessionKey,
  type KnownSession,
  type SessionIds,
  type SessionStub,
  type SessionEvents,
  type SessionLimits,
  SessionPlaces,
} from './session-id.js';
import type { SessionFacts, SharedSessions } from './shared-sessions.js';
import type { Subscriptions } from './subscriptions.js';

/** What a store gives to its sessions, and what it needs itself. */
export interface SessionStorePorts extends Omit<SessionPorts, 'answerMs' | 'outage'> {
  /** Sessions end in this context, and the author's clean-ups for them run in it. */
  boot: BootContext;
  logger: Logger;
  ids: SessionIds;
  /** Present when ids are sealed. */
  shared: SharedSessions | undefined;
  events: SessionEvents | undefined;
  subscriptions: Subscriptions;
  /** True for a revision that this process speaks. */
  serves(revision: Revision): boolean;
  /** Is called when an anonymous session has become that of a principal. */
  risen(session: Session, ip: string | undefined): void;
}

type Caller = Pick<Peer, 'principal' | 'ip'>;
type SignedIn = Caller & { readonly principal: Principal };

const lastingOf = ({ principal }: Caller) => ({ principal, lasting: true });

type Opening = Omit<SessionStart, 'key' | 'owner' | 'events' | 'shared'> & { readonly key?: string };

/** A session, and whose place it takes. */
export interface SessionEntry {
  readonly session: Session;
  readonly holder: QuotaOwner;
  /** Present when other processes may serve the session, too. */
  readonly unjoin: (() => void) | undefined;
}

/** Why a session with a sealed id cannot be served: no process knows it, or none can serve it now. */
export type ResumeFailure = 'unknown' | 'full' | 'unverified' | 'stopped';

/**
 * The sessions of the older era over HTTP. Their number is limited, each belongs to its principal, and an
 * unused one ends after a while. If ids are sealed, it only leaves this process, and can be resumed.
 */
export class SessionStore {
  readonly #sessions = new Map<string, SessionEntry>();
  /** The sessions that are being resumed, by caller and id: all requests that wait for one get the same session. */
  readonly #resuming = new Map<string, Promise<Session | ResumeFailure>>();
  readonly #places: SessionPlaces<SessionEntry>;
  /** What all sessions use. */
  readonly #parts: SessionPorts;
  #cancelSweep: (() => void) | undefined;
  #isClosed = false;

  constructor(
    private readonly limits: SessionLimits,
    private readonly ports: SessionStorePorts,
  ) {
    this.#places = new SessionPlaces(limits);
    const outage = new Outage('event store', ports.logger, 'streams cannot be resumed');
    this.#parts = { ...ports, answerMs: limits.answerTimeout, outage };
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** True when other processes can serve these sessions. */
  get areSealed(): boolean {
    return this.ports.ids.areSealed;
  }

  [Symbol.iterator](): IterableIterator<Readonly<SessionEntry>> {
    return this.#sessions.values();
  }

  /** Opens a session that later requests find by its id. Returns `undefined` when there is no room. */
  open(revision: Revision, client: ClientDescription, caller: Caller): Session | undefined {
    const { ids, clock } = this.ports;
    const { principal } = caller;
    const expires = ids.areSealed ? clock.now() + this.limits.lifetime : Infinity;
    const id = ids.issue({ revision, client, expires }, principal);
    return this.#add({ id, revision, client, principal, lasting: true, expires }, caller);
  }

  /**
   * Resumes a session that another process has opened, or this one before it forgot it. An anonymous session becomes
   * that of the first principal that comes with its id: the client has signed in, and goes on.
   */
  async resume(id: string, caller: Caller): Promise<Session | ResumeFailure> {
    // Requests of other callers for the same id must not wait for this one, and get another answer.
    const name = `${principalKey(caller.principal)} ${id}`;
    const waiting = this.#resuming.get(name);
    if (waiting) return waiting;
    const resuming = this.#resume(id, caller);
    this.#resuming.set(name, resuming);
    try {
      return await resuming;
    } finally {
      this.#resuming.delete(name);
    }
  }

  async #resume(id: string, caller: Caller): Promise<Session | ResumeFailure> {
    const { shared } = this.ports;
    const known = this.#know(id, caller.principal);
    // During a deployment, the process that opened the session may speak a revision that this one does not know.
    if (!known || !this.ports.serves(known.revision)) return 'unknown';
    const { isAnonymous, ...stub } = known;
    if (isAnonymous && caller.principal)
      return this.#rise(id, stub, { ...caller, principal: caller.principal });
    if (!shared) return 'unknown';
    return shared.find(sessionKey(id), (facts) =>
      this.#restore({ id, ...stub, ...lastingOf(caller), resumed: true }, caller, facts),
    );
  }

  /** What this process knows of a session that it cannot serve to this caller as it is. */
  #know(id: string, principal: Principal | undefined): KnownSession | undefined {
    const { ids, clock } = this.ports;
    const here = this.#sessions.get(id)?.session;
    if (!here || here.owner !== '' || !principal || this.#isExpired(here))
      return ids.areSealed ? ids.read(id, principal, clock.now()) : undefined;
    const { revision, client, expires } = here;
    return { revision, client, expires, isAnonymous: true };
  }

  /**
   * The anonymous session ends, and a new one with the same id takes over its log level and its subscriptions. It
   * takes over nothing else: no stream, no stored event, no question, no service in session scope.
   */
  async #rise(id: string, stub: SessionStub, caller: SignedIn): Promise<Session | ResumeFailure> {
    const { shared } = this.ports;
    const key = risenKey(id, caller.principal);
    if (shared) {
      try {
        const end = { expires: stub.expires, owner: quotaOwnerOf(caller) };
        if (!(await shared.rise(sessionKey(id), key, end))) return 'unknown';
      } catch {
        return 'unverified';
      }
    }
    // A process that has the session knows what its client has asked for.
    const record = this.#sessions.has(id) ? undefined : await shared?.recordOf(sessionKey(id));
    const rise = (facts: SessionFacts) => {
      const before = this.#sessions.get(id)?.session;
      this.#forget(id, { keepEvents: false });
      const opening = { id, key, ...stub, ...lastingOf(caller), resumed: !before };
      const session = this.#restore(opening, caller, {
        ...facts,
        record: facts.record ?? before?.record ?? record,
      });
      if (typeof session === 'string') return session;
      if (before?.initialized) session.initialized = true;
      this.ports.risen(session, caller.ip);
      return session;
    };
    if (!shared) return rise({ isEnded: false, record: undefined, heard: [] });
    return shared.find(key, rise);
  }

  #restore(
    opening: Opening,
    caller: Caller,
    { isEnded, record, heard }: SessionFacts,
  ): Session | ResumeFailure {
    if (isEnded) return 'unknown';
    if (this.#isClosed) return 'stopped';
    if (isEnded === undefined && this.limits.whenUnverified === 'refuse') return 'unverified';
    const session = this.#add(opening, caller);
    if (!session) return 'full';
    session.isUnverified = isEnded === undefined;
    this.ports.shared?.noteCheck(session);
    if (record) session.restore(record);
    for (const message of heard) session.hearPeer(message);
    return session;
  }

  #add(opening: Opening, caller: Caller): Session | undefined {
    const { subscriptions, shared } = this.ports;
    const holder = quotaOwnerOf(caller);
    if (!this.#places.makeRoom(holder, (entry) => this.#forget(entry.session.id))) return undefined;
    const session = this.#create(opening, this.#eventsOf(holder));
    subscriptions.add(session);
    const unjoin = shared?.join(session.key, (message) => {
      if (message.kind === 'ended') this.#forget(session.id, { keepEvents: true });
      else session.hearPeer(message);
    });
    const entry: SessionEntry = { session, holder, unjoin };
    this.#places.take(entry);
    this.#sessions.set(session.id, entry);
    this.#sweepLater();
    return session;
  }

  /** Makes a session for one request. Nobody can find it. */
  detached(revision: Revision, client: ClientDescription, principal: Principal | undefined): Session {
    // Nobody could resume it, so no events are kept.
    return this.#create({ id: '', revision, client, principal, lasting: false }, undefined);
  }

  /** Makes a session for one connection. The connection closes it. */
  connected(revision: Revision, client: ClientDescription, principal: Principal | undefined): Session {
    return this.#create(
      { id: randomSessionId(), revision, client, principal, lasting: true, isConnection: true },
      undefined,
    );
  }

  #create(opening: Opening, events: EventStore | undefined): Session {
    const { shared, ids } = this.ports;
    const { id, lasting, principal, expires, key = lasting ? sessionKey(id) : '' } = opening;
    const isShared = expires !== undefined && ids.areSealed;
    const owner = principalKey(principal);
    return new Session(
      { ...opening, key, owner, events, shared: isShared ? shared : undefined },
      this.#parts,
    );
  }

  /** The session of another caller is treated like one that never existed. */
  find(id: string, principal: Principal | undefined): Session | undefined {
    const entry = this.#sessions.get(id);
    if (!entry || entry.session.owner !== principalKey(principal)) return undefined;
    const { session } = entry;
    if (this.#isExpired(session)) {
      this.#forget(id);
      return undefined;
    }
    session.lastUsed = monotonic(this.ports.clock);
    session.comesAs(principal);
    this.#places.renew(entry);
    this.ports.shared?.check(session, () => this.#forget(id));
    return session;
  }

  /** Ends a session, at every process. */
  async end(id: string): Promise<void> {
    const entry = this.#sessions.get(id);
    if (!entry) return;
    this.#forget(id, { keepEvents: false });
    await this.ports.shared?.end(entry.session, entry.holder);
  }

  /**
   * The session leaves this process. Its events are kept when another process may need them.
   */
  #forget(id: string, { keepEvents = this.ports.events?.areShared && this.ports.ids.areSealed } = {}): void {
    const entry = this.#sessions.get(id);
    if (!entry) return;
    this.#sessions.delete(id);
    this.ports.subscriptions.remove(entry.session);
    entry.unjoin?.();
    this.#places.leave(entry);
    // Another caller may have ended it, by taking its place. So the author's code must not run in the context of that
    // caller.
    this.ports.boot.run(() => {
      entry.session.close(new Error('The session has ended.'));
      // Nobody waits for it, and the session has ended whether it works or not.
      if (!keepEvents)
        void this.#parts.outage.ask(() => this.#eventsOf(entry.holder)?.drop(entry.session.key));
    });
  }

  /** Ends all sessions here. None can be resumed afterwards. */
  closeAll(): void {
    this.#isClosed = true;
    for (const id of [...this.#sessions.keys()]) this.#forget(id);
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
    this.ports.shared?.stop();
  }

  #isExpired(session: Session): boolean {
    const { clock } = this.ports;
    if (clock.now() >= session.expires) return true;
    return !session.busy && monotonic(clock) - session.lastUsed >= this.limits.idle;
  }

  #eventsOf({ anonymous }: QuotaOwner): EventStore | undefined {
    return anonymous ? this.ports.events?.ofAnonymous : this.ports.events?.ofPrincipals;
  }

  #sweepLater(): void {
    this.#cancelSweep ??= this.ports.clock.after(this.limits.idle, () => {
      this.#cancelSweep = undefined;
      for (const [id, { session }] of [...this.#sessions]) if (this.#isExpired(session)) this.#forget(id);
      if (this.#sessions.size > 0) this.#sweepLater();
    });
  }
}
