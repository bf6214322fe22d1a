/** How many leases of one key may be held at a time, over all processes. */
export interface LeaseLimit {
  readonly key: string;
  readonly max: number;
}

/** Gives a lease back. Calling it again does nothing. */
export type ReleaseLease = () => void | Promise<void>;

/**
 * Counts what runs at a time over all processes of a server. A lease ends when it is released, or a short
 * time after its process has died. The store renews the leases of a living process by itself.
 */
export interface LeaseStore {
  /**
   * How many milliseconds a call may wait for an answer. After that, this process counts alone. Default 50: a store
   * that is reached over a network may hang. It may be longer where the store is a part of the same machine, and dies
   * with this process.
   */
  readonly patienceMs?: number;
  /** Takes a lease of every limit, or none: `undefined` when one of them is reached. */
  acquire(limits: readonly LeaseLimit[]): (ReleaseLease | undefined) | Promise<ReleaseLease | undefined>;
}

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
