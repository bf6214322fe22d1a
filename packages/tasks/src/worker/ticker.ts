import type { Clock } from '@toolwright/core/ports';

/** Does something again and again, one time after the other. */
export class Ticker {
  #stopClock = () => {};
  #isStopped = false;

  /** @param tick may fail: then it is done again at the next time */
  constructor(
    private readonly clock: Clock,
    private readonly ms: number,
    private readonly tick: () => Promise<unknown>,
  ) {
    this.#wait();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopClock();
  }

  #wait(): void {
    if (this.#isStopped) return;
    this.#stopClock = this.clock.after(this.ms, () => {
      const next = () => this.#wait();
      this.tick().then(next, next);
    });
  }
}
