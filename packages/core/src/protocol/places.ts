export interface PlaceLimits {
  max: number;
  maxPerPrincipal: number;
}

/**
 * Counts who holds how many of something there is only so much of. Anonymous callers cannot be told apart, so that only
 * the cap for all of them together holds.
 */
export class Places {
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(private readonly limits: PlaceLimits) {}

  get size(): number {
    return this.#total;
  }

  get full(): boolean {
    return this.#total >= this.limits.max;
  }

  /** @param owner as `principalKey` names it */
  isExhaustedFor(owner: string): boolean {
    return owner !== '' && (this.#held.get(owner) ?? 0) >= this.limits.maxPerPrincipal;
  }

  /** Takes a place whether or not there is one. The function that comes back gives it up, once. */
  take(owner: string): () => void {
    this.#total++;
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#total--;
      const left = this.#held.get(owner)! - 1;
      if (left > 0) this.#held.set(owner, left);
      else this.#held.delete(owner);
    };
  }
}
