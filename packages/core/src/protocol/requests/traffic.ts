import type { Clock } from '../../ports/clock.js';

/** Counts the requests that are being answered, so that a server can stop without losing any. */
export class Traffic {
  /** How many requests are being answered. `runInvocation` counts them. */
  active = 0;
  /** True when new requests are refused. */
  draining = false;
  #idle: (() => void)[] = [];

  /** Refuses new requests from now on. */
  close(): void {
    this.draining = true;
  }

  /** To be called when a request of a draining server has been answered. */
  tellIdle(): void {
    if (this.active === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /**
   * Resolves when no request is being answered any more: with true, or with false when `graceMs` passed
   * before. `close` comes first.
   */
  whenIdle(graceMs: number, clock: Clock): Promise<boolean> {
    if (this.active === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cancel = clock.after(graceMs, () => resolve(false));
      this.#idle.push(() => {
        cancel();
        resolve(true);
      });
    });
  }
}
