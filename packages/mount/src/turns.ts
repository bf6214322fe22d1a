import { setImmediate as nextTurn } from 'node:timers/promises';
import { BUDGET } from './budget.js';

/** Lets others run in the middle of long work on what a server behind has sent. */
export class Turns {
  #since = performance.now();

  /** Waits for a turn of the event loop, if the work has held it for its time. */
  async rest(): Promise<void> {
    if (performance.now() - this.#since < BUDGET.holdMs) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
