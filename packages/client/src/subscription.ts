import type { Change } from './session.js';

/**
 * The changes of a server, in the order in which they arrive: `await subscription.next()`, or `for await
 * (const change of subscription)`.
 */
export class Subscription implements AsyncIterable<Change> {
  private readonly arrived: Change[] = [];
  private readonly waiting: ((change: Change | undefined) => void)[] = [];
  private closed = false;

  /** The client calls this. `end` tells the server that the subscription ends. */
  constructor(private readonly end: () => Promise<void>) {}

  /** Adds one change. */
  hear(change: Change): void {
    const taker = this.waiting.shift();
    if (taker) taker(change);
    else this.arrived.push(change);
  }

  /**
   * Returns the next change, and waits for it if necessary. Returns `undefined` after the subscription was
   * closed.
   */
  next(): Promise<Change | undefined> {
    const change = this.arrived.shift();
    if (change || this.closed) return Promise.resolve(change);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** The changes that have arrived and that nobody has taken yet. */
  pending(): readonly Change[] {
    return this.arrived;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    for (const taker of this.waiting.splice(0)) taker(undefined);
    await this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Change> {
    for (let change = await this.next(); change; change = await this.next()) yield change;
  }
}
