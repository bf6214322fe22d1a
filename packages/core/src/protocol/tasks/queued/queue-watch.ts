import type { MaybePromise } from '../../../base/maybe-promise.js';
import { Outage, within } from '../../../call/limits/timed-store.js';
import type { Clock } from '../../../ports/clock.js';
import type { Logger } from '../../../ports/logger.js';
import type { QueueLoad } from '../../../ports/task-queue.js';

/** For how many milliseconds an answer counts. Probes and collectors of metrics ask often. */
const FRESH_MS = 1_000;
/** How many milliseconds the queue has to answer. A probe that waits longer counts as failed. */
const PATIENCE_MS = 1_000;

/** Reads the load of a queue for monitoring, at most once a second, however many ask. */
export class QueueWatch {
  #reading: Promise<QueueLoad | undefined> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  readonly #outage: Outage;

  constructor(
    private readonly ask: () => MaybePromise<QueueLoad>,
    private readonly ports: { readonly clock: Clock; readonly logger: Logger },
  ) {
    this.#outage = new Outage('task queue', ports.logger, 'nobody knows how many tasks wait');
  }

  /** @returns `undefined` while the queue does not answer */
  read(): Promise<QueueLoad | undefined> {
    const now = this.ports.clock.now();
    if (this.#reading && now - this.#readAt < FRESH_MS) return this.#reading;
    this.#readAt = now;
    return (this.#reading = this.#read());
  }

  async #read(): Promise<QueueLoad | undefined> {
    const tooLate = () => new Error('The queue did not tell its load within a second.');
    try {
      const asked = Promise.resolve(this.ask());
      const load = await within(asked, { clock: this.ports.clock, ms: PATIENCE_MS, tooLate });
      this.#outage.answered();
      return load;
    } catch (error) {
      this.#outage.failed(error);
      return undefined;
    }
  }
}
