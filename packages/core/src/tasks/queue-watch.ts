import type { MaybePromise } from '../base/maybe-promise.js';
import { monotonic } from '../ports/clock-and-ids.js';
import { Outage, within } from '../call/limits/timed-store.js';
import type { QueueDepth, QueueLoad } from '../ports/queue-load.js';
import type { ProtocolHost } from '../requests/engine.js';

/** For how many milliseconds an answer counts. Probes and collectors of metrics ask often. */
const FRESH_MS = 1_000;
/** How many milliseconds the queue has to answer. A probe that waits longer counts as failed. */
const PATIENCE_MS = 1_000;

/** Reads the load of a queue for monitoring, at most once a second, however many ask. */
export class QueueWatch {
  #reading: Promise<QueueLoad | undefined> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  readonly #outage: Outage;

  /** @param ask asks the queue. One question is for all who ask within a second, so it belongs to none of them */
  constructor(
    private readonly ask: () => MaybePromise<QueueLoad>,
    private readonly host: Pick<ProtocolHost, 'clock' | 'logger' | 'registry'>,
  ) {
    this.#outage = new Outage('task queue', host.logger, 'nobody knows how many tasks wait');
  }

  /** @returns `undefined` while the queue does not answer */
  read(): Promise<QueueLoad | undefined> {
    const now = monotonic(this.host.clock);
    if (this.#reading && now - this.#readAt < FRESH_MS) return this.#reading;
    this.#readAt = now;
    return (this.#reading = this.#read());
  }

  async #read(): Promise<QueueLoad | undefined> {
    const tooLate = () => new Error('The queue did not tell its load within a second.');
    try {
      const asked = Promise.resolve(this.ask());
      const load = await within(asked, { clock: this.host.clock, ms: PATIENCE_MS, tooLate });
      this.#outage.answered();
      return load.depth ? { ...load, depth: this.#countVersionsTogether(load.depth) } : load;
    } catch (error) {
      this.#outage.failed(error);
      return undefined;
    }
  }

  /** A queue knows the exact names of tools, and metrics have one name for all versions. */
  #countVersionsTogether(depth: readonly QueueDepth[]): QueueDepth[] {
    const { tools } = this.host.registry;
    const counted = new Map<string, QueueDepth>();
    for (const each of depth) {
      const tool = tools.get(each.tool)?.versionOf ?? each.tool;
      const key = `${each.ownerClass} ${tool}`;
      const waiting = each.waiting + (counted.get(key)?.waiting ?? 0);
      counted.set(key, { ...each, tool, waiting });
    }
    return [...counted.values()];
  }
}
