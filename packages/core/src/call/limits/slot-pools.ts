import { SlotPool, type SlotLimits } from './slot-pool.js';

/**
 * The pools of `@Concurrency`, by what shares them: an operation's key or the name of a group. They outlive the chains
 * that use them: a chain that is planned anew must not forget who runs.
 */
export class SlotPools {
  readonly #pools = new Map<string, SlotPool>();

  of(name: string, limits: SlotLimits): SlotPool {
    const known = this.#pools.get(name);
    if (known) {
      known.limits = limits;
      return known;
    }
    const pool = new SlotPool(limits);
    this.#pools.set(name, pool);
    return pool;
  }
}
