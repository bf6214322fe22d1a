const FIRST_MS = 100;
const LAST_MS = 5_000;

/**
 * How long to wait before the next attempt: longer each time, and a little different in each process, so that a
 * database that comes back is not asked by all of them at once.
 */
export class Backoff {
  #ms = FIRST_MS;

  constructor(private readonly random: () => number = Math.random) {}

  next(): number {
    const ms = this.#ms;
    this.#ms = Math.min(ms * 2, LAST_MS);
    return ms * (0.5 + this.random() / 2);
  }

  reset(): void {
    this.#ms = FIRST_MS;
  }
}
