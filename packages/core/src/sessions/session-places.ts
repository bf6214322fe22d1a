import type { EventStore } from '../ports/event-store.js';
import type { SessionSettings } from './session-options.js';
import { type QuotaLimits, type QuotaOwner, QuotaPool } from '../requests/quota-pool.js';

/** The part of a session that decides about its place. */
interface Placed {
  readonly session: { readonly busy: boolean };
  readonly holder: QuotaOwner;
}

/** The places that sessions take in the memory of this process. */
export class SessionPlaces<T extends Placed> {
  readonly #pool: QuotaPool<T>;
  /** All sessions of principals. The one that was unused for longest comes first. */
  readonly #ofPrincipals = new Set<T>();
  /** The entry that is the last one wherever it is. */
  #last: T | undefined;

  constructor(limits: QuotaLimits) {
    this.#pool = new QuotaPool(limits);
  }

  take(entry: T): void {
    this.#pool.take(entry.holder, entry);
    this.#last = entry;
    if (!entry.holder.anonymous) this.#ofPrincipals.add(entry);
  }

  leave(entry: T): void {
    this.#pool.leave(entry.holder, entry);
    if (this.#last === entry) this.#last = undefined;
    this.#ofPrincipals.delete(entry);
  }

  /** The session was used. */
  renew(entry: T): void {
    if (this.#last === entry) return;
    this.#last = entry;
    this.#pool.renew(entry.holder, entry);
    if (this.#ofPrincipals.delete(entry)) this.#ofPrincipals.add(entry);
  }

  /**
   * Makes room for one more session.
   *
   * @param close closes a session in which nobody waits for anything
   * @returns false when there is no room and no existing session may be closed
   */
  makeRoom(holder: QuotaOwner, close: (entry: T) => void): boolean {
    const closeUnused = (entries: Iterable<T>) => {
      for (const entry of entries) {
        if (entry.session.busy) continue;
        close(entry);
        return true;
      }
      return false;
    };
    // A caller over its limit loses its own session, and a tenant over its limit one of its callers' sessions; nobody else.
    if (this.#pool.isExhaustedFor(holder) && !closeUnused(this.#pool.atLimitOf(holder))) return false;
    if (!this.#pool.isFullFor(holder)) return true;
    return closeUnused(holder.anonymous ? this.#rivalsOf(holder) : this.#ofPrincipals);
  }

  /**
   * Anonymous callers take room only from each other: from the address that has the most, which may be the
   * caller's own.
   */
  #rivalsOf(holder: QuotaOwner): Iterable<T> {
    const own = this.#pool.of(holder);
    const largest = this.#pool.ofLargestAddress();
    return largest.size > own.size ? largest : own;
  }
}

export type SessionLimits = Omit<SessionSettings, 'resumable' | 'pollAfter'>;

/**
 * The stores of events. They are separate, so that events for anonymous callers never push out an event for a
 * principal.
 */
export interface SessionEvents {
  ofPrincipals: EventStore;
  ofAnonymous: EventStore;
  /** True for a store of the application: another process may need the events. */
  areShared: boolean;
}
