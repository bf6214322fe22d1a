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
  /** Told of every session that has ended, unless it lived with its request. */
  ended(sessionId: string): void;
}

/** Where events are kept. Apart, so that what anonymous callers are sent pushes out no principal's. */
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

/** Sessions of the older era over HTTP: so many at most, each for its principal, gone when unused for a while. */
export class SessionStore {
  /** Least recently used first. */
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

  /** A session that is found by its id from now on; undefined when there is no room. */
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

  /** A session that lives with its request, and is found by nobody. */
  detached(revision: Revision, client: ClientDescription, principal: Principal | undefined): Session {
    // Nobody could resume it, so nothing is kept.
    return this.#create({ revision, client, principal, lasting: false }, undefined);
  }

  /** A session that lives with its connection, which closes it. */
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

  /** Someone else's session is as unknown as one that never was. */
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

  /** False when there is no place, and none of those who hold one gives way. */
  #makeRoom(holder: QuotaOwner): boolean {
    // Who has too many pays with its own: others keep theirs.
    if (this.#places.isExhaustedFor(holder) && !this.#closeUnused(this.#places.of(holder))) return false;
    if (!this.#places.isFullFor(holder)) return true;
    return this.#closeUnused(holder.anonymous ? this.#rivalsOf(holder) : this.#ofPrincipals());
  }

  /** Anonymous callers give way to each other alone: whoever has the most, be it the caller's own address. */
  #rivalsOf(holder: QuotaOwner): Iterable<Entry> {
    const own = this.#places.of(holder);
    const largest = this.#places.ofLargestAddress();
    return largest.size > own.size ? largest : own;
  }

  *#ofPrincipals(): Iterable<Entry> {
    for (const entry of this.#sessions.values()) if (!entry.holder.anonymous) yield entry;
  }

  /** Closes the first that nobody waits in. */
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
