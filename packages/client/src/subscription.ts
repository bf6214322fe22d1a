import type { Change } from './session.js';

/** Changes of a server as they arrive: `await subscription.next()`, or `for await (const change of subscription)`. */
export class Subscription implements AsyncIterable<Change> {
  private readonly arrived: Change[] = [];
  private readonly waiting: ((change: Change | undefined) => void)[] = [];
  private closed = false;

  /** Called by the client; `end` tells the server. */
  constructor(private readonly end: () => Promise<void>) {}

  /** Takes in one change. */
  hear(change: Change): void {
    const taker = this.waiting.shift();
    if (taker) taker(change);
    else this.arrived.push(change);
  }

  /** The next change, waiting for it where needed; undefined once the subscription was closed. */
  next(): Promise<Change | undefined> {
    const change = this.arrived.shift();
    if (change || this.closed) return Promise.resolve(change);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** What has arrived and was not taken yet. */
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
