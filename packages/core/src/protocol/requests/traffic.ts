import type { Clock } from '../../ports/clock.js';

/** Counts the requests that are being answered, so that a server can stop without losing any. */
export class Traffic {
  #active = 0;
  #draining = false;
  #idle: (() => void)[] = [];

  get draining(): boolean {
    return this.#draining;
  }
  get active(): number {
    return this.#active;
  }

  enter(): void {
    this.#active++;
  }

  leave(): void {
    this.#active--;
    if (this.#active === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Refuses new requests from now on. */
  close(): void {
    this.#draining = true;
  }

  /**
   * Resolves when no request is being answered any more: with true, or with false when `graceMs` passed
   * before.
   */
  whenIdle(graceMs: number, clock: Clock): Promise<boolean> {
    if (this.#active === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cancel = clock.after(graceMs, () => resolve(false));
      this.#idle.push(() => {
        cancel();
        resolve(true);
      });
    });
  }
}
