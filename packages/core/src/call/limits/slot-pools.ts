import { LeasedSlotPool, type LeasePorts } from './leased-slots.js';
import { SlotPool, type SlotLimits } from './slot-pool.js';

/**
 * The pools of `@Concurrency`. The key is an operation, or the name of a group. Pools live longer than the
 * chains that use them, because a chain that is planned again must still know the running calls.
 */
export class SlotPools {
  readonly #pools = new Map<string, SlotPool>();

  /** @param shared present where processes share their slots */
  constructor(private readonly shared?: LeasePorts) {}

  [Symbol.iterator](): IterableIterator<[name: string, pool: SlotPool]> {
    return this.#pools.entries();
  }

  of(name: string, limits: SlotLimits): SlotPool {
    const known = this.#pools.get(name);
    if (known) {
      known.limits = limits;
      return known;
    }
    const pool = this.shared ? new LeasedSlotPool(limits, name, this.shared) : new SlotPool(limits);
    this.#pools.set(name, pool);
    return pool;
  }
}
