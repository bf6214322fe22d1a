import type { EventStore } from '../ports/event-store.js';
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import { Places } from './places.js';
import { principalKey } from './principal-key.js';
import type { ClientDescription, Principal, Revision } from '../messages/request-context.js';
import { Session } from './session.js';
import type { Subscriptions } from './subscriptions.js';

export interface SessionLimits {
  max: number;
  maxPerPrincipal: number;
  idleMs: number;
  answerMs: number;
}

export interface SessionPorts {
  clock: Clock;
  logger: Logger;
  events: EventStore | undefined;
  subscriptions: Subscriptions;
}

interface Opening {
  revision: Revision;
  client: ClientDescription;
  principal: Principal | undefined;
}

/** Sessions of the older era over HTTP: so many at most, each for its principal, gone when unused for a while. */
export class SessionStore {
  /** Least recently used first. */
  readonly #sessions = new Map<string, { session: Session; leave: () => void }>();
  readonly #places: Places;
  #cancelSweep: (() => void) | undefined;

  constructor(
    private readonly limits: SessionLimits,
    private readonly ports: SessionPorts,
  ) {
    this.#places = new Places(limits);
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** A session that is found by its id from now on; undefined when there is no room. */
  open(revision: Revision, client: ClientDescription, principal: Principal | undefined): Session | undefined {
    const owner = principalKey(principal);
    // Who has too many pays with its own: others keep theirs.
    if (this.#places.isExhaustedFor(owner) && !this.#makeRoom(owner)) return undefined;
    if (this.#places.full && !this.#makeRoom()) return undefined;
    const session = this.#create({ revision, client, principal }, this.ports.events);
    const unsubscribe = this.ports.subscriptions.add({
      hear: (event) => session.hear(event),
      end: () => session.endStandalone(),
    });
    const leavePlace = this.#places.take(owner);
    const leave = () => {
      unsubscribe();
      leavePlace();
    };
    this.#sessions.set(session.id, { session, leave });
    this.#sweepLater();
    return session;
  }

  /** A session that lives with its connection or its request, and is found by nobody. */
  detached(revision: Revision, client: ClientDescription, principal: Principal | undefined): Session {
    // Nobody could resume it, so nothing is kept.
    return this.#create({ revision, client, principal }, undefined);
  }

  #create({ revision, client, principal }: Opening, store: EventStore | undefined): Session {
    const { clock, logger } = this.ports;
    const start = { revision, client, owner: principalKey(principal), clock, answerMs: this.limits.answerMs };
    return new Session(start, {
      store,
      onStoreError: (error) =>
        logger.error({ err: error }, 'The event store failed; streams cannot be resumed.'),
    });
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
    void this.ports.events?.drop(id);
  }

  closeAll(): void {
    for (const id of [...this.#sessions.keys()]) this.close(id);
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
  }

  #isExpired(session: Session): boolean {
    return !session.busy && this.ports.clock.now() - session.lastUsed >= this.limits.idleMs;
  }

  /** @param owner whose session gives way; anybody's when undefined */
  #makeRoom(owner?: string): boolean {
    for (const [id, { session }] of this.#sessions) {
      if (session.busy || (owner !== undefined && session.owner !== owner)) continue;
      this.close(id);
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
