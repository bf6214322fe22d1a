import type { Clock } from '@toolwright/core/ports';

/** A token that a tool may use until `until`, in milliseconds since the epoch. */
export interface UsableToken {
  readonly token: string;
  readonly until: number;
}

/** A token is no longer used shortly before it expires: the call that it is for takes time, and clocks differ. */
const SKEW_MS = 60_000;

/** Until when a token is used that lives for so long, from now on. In milliseconds. */
export const lastUse = (now: number, lifeMs: number): number => now + lifeMs - Math.min(SKEW_MS, lifeMs / 5);

/**
 * Keeps tokens, or the failures to get one, of this process. The one that was unused for longest goes first. Its clock is the one
 * that `until` goes by.
 */
export class TimedCache<Value extends { readonly until: number }> {
  readonly #kept = new Map<string, Value>();

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly most: number,
  ) {}

  get(id: string): Value | undefined {
    const found = this.#kept.get(id);
    if (!found) return undefined;
    this.#kept.delete(id);
    if (found.until <= this.clock.now()) return undefined;
    this.#kept.set(id, found);
    return found;
  }

  set(id: string, value: Value): void {
    this.#kept.delete(id);
    this.#kept.set(id, value);
    if (this.#kept.size > this.most) this.#kept.delete(this.#kept.keys().next().value!);
  }
}
