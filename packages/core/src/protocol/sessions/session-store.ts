import type { EventStore } from '../../ports/event-store.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { Peer } from '../requests/response-channel.js';
import { quotaOwnerOf, type QuotaOwner } from './quota-owner.js';
import { QuotaPool } from './quota-pool.js';
import { principalKey } from './principal-key.js';
import type { Revision } from '../../base/revision.js';
import type { ClientDescription, Principal } from '../../base/request-context.js';
import { Session } from './session.js';
import type { Subscriptions } from './subscriptions.js';

export interface SessionLimits {
  max: number;
  maxPerPrincipal: number;
  maxAnonymous: number;
  idleMs: number;
  answerMs: number;
}

export interface SessionPorts {
  clock: Clock;
  logger: Logger;
  events: SessionEvents | undefined;
  subscriptions: Subscriptions;
  /** Is called for every session that has ended, unless it existed only for one request. */
  ended(sessionId: string): void;
}

/**
 * The stores of events. They are separate, so that events for anonymous callers push out none of a principal.
 */
export interface SessionEvents {
  ofPrincipals: EventStore;
  ofAnonymous: EventStore;
}

interface Opening {
  revision: Revision;
  client: ClientDescription;
  principal: Principal | undefined;
  lasting: boolean;
}

interface Entry {
  session: Session;
  holder: QuotaOwner;
  leave: () => void;
}

/**
 * The sessions of the older era over HTTP. Their number is limited, each belongs to its principal, and an
 * unused one ends after a while.
 */
export class SessionStore {
  /** The session that was unused for longest comes first. */
  readonly #sessions = new Map<string, Entry>();
  readonly #places: QuotaPool<Entry>;
  #cancelSweep: (() => void) | undefined;

  constructor(
    private readonly limits: SessionLimits,
    private readonly ports: SessionPorts,
  ) {
    this.#places = new QuotaPool(limits);
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Opens a session that can be found by its id. Returns `undefined` when there is no room. */
  open(
    revision: Revision,
    client: ClientDescription,
    caller: Pick<Peer, 'principal' | 'ip'>,
  ): Session | undefined {
    const holder = quotaOwnerOf(caller);
    const { principal } = caller;
    if (!this.#makeRoom(holder)) return undefined;
    const session = this.#create({ revision, client, principal, lasting: true }, this.#eventsOf(holder));
    const unsubscribe = this.ports.subscriptions.add({
      hear: (event) => session.hear(event),
      end: () => session.endStandalone(),
    });
    const entry: Entry = {
      session,
      holder,
      leave() {
        unsubscribe();
        leavePlace();
      },
    };
    const leavePlace = this.#places.take(holder, entry);
    this.#sessions.set(session.id, entry);
    this.#sweepLater();
    return session;
  }

  /** Makes a session for one request. Nobody can find it. */
  detached(revision: Revision, client: ClientDescription, principal: Principal | undefined): Session {
    // Nobody could resume it, so no events are kept.
    return this.#create({ revision, client, principal, lasting: false }, undefined);
  }

  /** Makes a session for one connection. The connection closes it. */
  connected(revision: Revision, client: ClientDescription, principal: Principal | undefined): Session {
    return this.#create({ revision, client, principal, lasting: true }, undefined);
  }

  #create({ principal, ...opening }: Opening, store: EventStore | undefined): Session {
    const { clock, logger, ended } = this.ports;
    const { answerMs } = this.limits;
    const session = new Session(
      { ...opening, owner: principalKey(principal), clock, answerMs },
      {
        store,
        onStoreError: (error) =>
          logger.error({ err: error }, 'The event store failed; streams cannot be resumed.'),
      },
    );
    if (opening.lasting) session.onEnd(() => ended(session.id));
    return session;
  }

  /** The session of another caller is treated like one that never existed. */
  find(id: string, principal: Principal | undefined): Session | undefined {
    const entry = this.#sessions.get(id);
    if (!entry || entry.session.owner !== principalKey(principal)) return undefined;
    if (this.#isExpired(entry.session)) {
      this.close(id);
      return undefined;
    }
    entry.session.lastUsed = this.ports.clock.now();
    this.#places.renew(entry.holder, entry);
    this.#sessions.delete(id);
    this.#sessions.set(id, entry);
    return entry.session;
  }

  close(id: string): void {
    const entry = this.#sessions.get(id);
    if (!entry) return;
    this.#sessions.delete(id);
    entry.leave();
    entry.session.close(new Error('The session has ended.'));
    void this.#eventsOf(entry.holder)?.drop(id);
  }

  closeAll(): void {
    for (const id of [...this.#sessions.keys()]) this.close(id);
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
  }

  #isExpired(session: Session): boolean {
    return !session.busy && this.ports.clock.now() - session.lastUsed >= this.limits.idleMs;
  }

  #eventsOf({ anonymous }: QuotaOwner): EventStore | undefined {
    return anonymous ? this.ports.events?.ofAnonymous : this.ports.events?.ofPrincipals;
  }

  /**
   * Makes room for one more session. Returns false when there is no room and no existing session may be
   * closed.
   */
  #makeRoom(holder: QuotaOwner): boolean {
    // A caller over its limit loses its own session, never another caller's.
    if (this.#places.isExhaustedFor(holder) && !this.#closeUnused(this.#places.of(holder))) return false;
    if (!this.#places.isFullFor(holder)) return true;
    return this.#closeUnused(holder.anonymous ? this.#rivalsOf(holder) : this.#ofPrincipals());
  }

  /**
   * Anonymous callers take room only from each other: from the address that has the most, which may be the
   * caller's own.
   */
  #rivalsOf(holder: QuotaOwner): Iterable<Entry> {
    const own = this.#places.of(holder);
    const largest = this.#places.ofLargestAddress();
    return largest.size > own.size ? largest : own;
  }

  *#ofPrincipals(): Iterable<Entry> {
    for (const entry of this.#sessions.values()) if (!entry.holder.anonymous) yield entry;
  }

  /** Closes the first session in which nobody waits for anything. */
  #closeUnused(entries: Iterable<Entry>): boolean {
    for (const { session } of entries) {
      if (session.busy) continue;
      this.close(session.id);
      return true;
    }
    return false;
  }

  #sweepLater(): void {
    this.#cancelSweep ??= this.ports.clock.after(this.limits.idleMs, () => {
      this.#cancelSweep = undefined;
      for (const [id, { session }] of [...this.#sessions]) if (this.#isExpired(session)) this.close(id);
      if (this.#sessions.size > 0) this.#sweepLater();
    });
  }
}
