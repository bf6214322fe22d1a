import type { LeaseLimit, LeaseStore, ReleaseLease } from './lease-store.js';

/** Counts the leases of this process. */
export class MemoryLeaseStore implements LeaseStore {
  readonly #held = new Map<string, number>();

  acquire(limits: readonly LeaseLimit[]): ReleaseLease | undefined {
    if (limits.some(({ key, max }) => this.#of(key) >= max)) return undefined;
    for (const { key } of limits) this.#held.set(key, this.#of(key) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const { key } of limits) this.#giveBack(key);
    };
  }

  #of(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  #giveBack(key: string): void {
    const left = this.#of(key) - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
  }
}
