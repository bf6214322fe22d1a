import { randomUUID } from 'node:crypto';
import type { Timers } from './ordered-events.js';

/** How many leases of a key there may be. */
interface LeasesOfKey {
  readonly key: string;
  readonly max: number;
}

/** What is held of one key. */
export interface LeaseHolding {
  readonly key: string;
  /** Tells the leases of a key apart, over all processes. */
  readonly member: string;
}

/** As many holdings are renewed at a time. */
const RENEWED_AT_ONCE = 100;
/** A lease is renewed three times before it ends: two of the attempts may fail. */
const RENEWALS = 3;

/**
 * A `LeaseStore` outside of the process. Leases end by the clock of the store, unless the process that holds them renews
 * them. The leases of a killed process end by themselves.
 */
export abstract class RenewedLeases {
  readonly #process = randomUUID();
  readonly #held = new Set<readonly LeaseHolding[]>();
  #count = 0;
  #renewing: Promise<unknown> = Promise.resolve();
  #cancelTimer = () => {};

  /** @param lease how long a lease lives, in milliseconds */
  constructor(protected readonly lease: number) {}

  protected abstract readonly clock: Timers;
  /** The name of a key in the store. */
  protected abstract nameOf(key: string): string;
  /** Takes all, or none. @param most how many leases of each key there may be */
  protected abstract take(holdings: readonly LeaseHolding[], most: readonly number[]): Promise<boolean>;
  /** Renews leases, even if the store has forgotten them. */
  protected abstract renew(holdings: readonly LeaseHolding[]): Promise<unknown>;
  protected abstract end(holdings: readonly LeaseHolding[]): Promise<unknown>;

  async acquire(limits: readonly LeasesOfKey[]): Promise<(() => Promise<void>) | undefined> {
    if (limits.length === 0) return async () => {};
    const lease = `${this.#process}:${this.#count++}`;
    const holdings = limits.map(({ key }, index) => ({
      key: this.nameOf(key),
      member: `${lease}:${index + 1}`,
    }));
    const most = limits.map(({ max }) => max);
    if (!(await this.take(holdings, most))) return undefined;
    this.#held.add(holdings);
    if (this.#held.size === 1) this.#scheduleRenewal();
    return () => this.#release(holdings);
  }

  /** Gives back all that is held. @returns `undefined` when there is nothing */
  close(): Promise<unknown> | undefined {
    if (this.#held.size === 0) return undefined;
    return Promise.all([...this.#held].map((holdings) => this.#release(holdings)));
  }

  async #release(holdings: readonly LeaseHolding[]): Promise<void> {
    if (!this.#held.delete(holdings)) return;
    if (this.#held.size === 0) this.#cancelTimer();
    // A renewal that is on its way would take the lease again.
    await this.#renewing;
    try {
      await this.end(holdings);
    } catch {
      // Nobody renews the lease any more, so it ends by itself.
    }
  }

  /** The renewals of a fleet that was started at once do not arrive at once. */
  #scheduleRenewal(): void {
    this.#cancelTimer();
    const delay = (this.lease / RENEWALS) * (1 - Math.random() / 4);
    this.#cancelTimer = this.clock.after(delay, () => {
      this.#renewAll();
      this.#scheduleRenewal();
    });
  }

  #renewAll(): void {
    const all = [...this.#held].flat();
    const renewals: Promise<unknown>[] = [];
    for (let at = 0; at < all.length; at += RENEWED_AT_ONCE)
      renewals.push(this.renew(all.slice(at, at + RENEWED_AT_ONCE)));
    // When the store is away, the next renewal takes the leases again.
    this.#renewing = Promise.allSettled(renewals);
  }
}
