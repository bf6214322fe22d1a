import { type Clock, monotonic } from '@toolwright/core/ports';
import { keepNewest } from '@toolwright/json';

/** A token that a tool may use until `until`, in milliseconds since the epoch. */
export interface UsableToken {
  readonly token: string;
  readonly until: number;
}

/** A token is no longer used shortly before it expires: the call that it is for takes time, and clocks differ. */
export const SKEW_MS = 60_000;

/** Until when a token is used that lives for so long, from now on. In milliseconds. */
export const lastUse = (now: number, lifeMs: number): number => now + lifeMs - Math.min(SKEW_MS, lifeMs / 5);

/**
 * Keeps tokens, or the failures to get one, of this process. The one that was unused for longest goes first. A value ends when
 * either clock says so: the wall clock may be set back, and the monotonic clock may stand still while the machine sleeps.
 */
export class TimedCache<Value extends { readonly until: number }> {
  /** `end` is the moment of `until` on the monotonic clock. */
  readonly #kept = new Map<string, { readonly value: Value; readonly end: number }>();

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'monotonic'>,
    private readonly most: number,
  ) {}

  get(id: string): Value | undefined {
    const found = this.#kept.get(id);
    if (!found) return undefined;
    this.#kept.delete(id);
    if (found.value.until <= this.clock.now() || found.end <= monotonic(this.clock)) return undefined;
    this.#kept.set(id, found);
    return found.value;
  }

  set(id: string, value: Value): void {
    keepNewest(
      this.#kept,
      id,
      { value, end: monotonic(this.clock) + value.until - this.clock.now() },
      this.most,
    );
  }

  /** Forgets the values for which `isOver` is true. */
  forget(isOver: (value: Value) => boolean): void {
    for (const [id, { value }] of this.#kept) if (isOver(value)) this.#kept.delete(id);
  }
}
