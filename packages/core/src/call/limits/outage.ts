import type { Logger } from '../../ports/logger.js';

/** Notices when a store stops and starts to answer. It logs both, once: a line per call would flood the log. */
export class Outage {
  #isAway = false;

  constructor(
    /** As operators know it, such as `store of the rate limiter`. */
    private readonly store: string,
    private readonly logger: Logger,
    /** What does not work meanwhile. */
    private readonly consequence?: string,
  ) {}

  answered(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.logger.info({}, `The ${this.store} answers again`);
  }

  failed(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const consequence = this.consequence === undefined ? '' : `; ${this.consequence}`;
    this.logger.error({ err: error }, `The ${this.store} does not answer${consequence}`);
  }
}
