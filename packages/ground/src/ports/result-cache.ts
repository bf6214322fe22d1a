import { keepNewest } from '@toolwright/json';
import { type Clock, monotonic } from './clock-and-ids.js';

/**
 * Keeps results of calls for a while (`@Cache`). A cache may forget a value at any time: the call then runs
 * again. Values are JSON.
 */
export interface ResultCache {
  /** The value; `undefined` when it is unknown or its time has passed. */
  get(key: string): unknown;
  set(key: string, value: unknown, ttlMs: number): void | Promise<void>;
}

/** Keeps results in this process. When there are too many, the one that was unused for longest is removed. */
export class MemoryResultCache implements ResultCache {
  readonly #kept = new Map<string, { readonly value: unknown; readonly until: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly max = 1_000,
  ) {}

  get(key: string): unknown {
    const found = this.#kept.get(key);
    if (!found) return undefined;
    this.#kept.delete(key);
    if (found.until <= monotonic(this.clock)) return undefined;
    this.#kept.set(key, found);
    return found.value;
  }

  set(key: string, value: unknown, ttlMs: number): void {
    keepNewest(this.#kept, key, { value, until: monotonic(this.clock) + ttlMs }, this.max);
  }
}
