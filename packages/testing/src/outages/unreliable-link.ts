import type { Clock } from '@toolwright/core/ports';
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export interface UnreliableLinkOptions {
  /** Replaces what the server sends. */
  rewrite?(data: Buffer): Buffer;
}

/**
 * A way to a TCP server on 127.0.0.1 that fails as networks do: it breaks, goes silent, or is slow. Give the
 * program under test its port instead of the server's.
 */
export class UnreliableLink {
  readonly #server = createServer((near) => this.#join(near));
  readonly #sockets = new Set<Socket>();
  readonly #rewrite: (data: Buffer) => Buffer;
  #state: 'up' | 'cut' | 'silent' = 'up';
  /** Counts how often the link went silent. What a connection lost then never comes back. */
  #silences = 0;
  #delayMs = 0;

  private constructor(
    private readonly target: number,
    { rewrite = (data) => data }: UnreliableLinkOptions,
  ) {
    this.#rewrite = rewrite;
  }

  /** Opens a link to a port of 127.0.0.1. */
  static async to(port: number, options: UnreliableLinkOptions = {}): Promise<UnreliableLink> {
    const link = new UnreliableLink(port, options);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  /** The port of 127.0.0.1 at which the link listens. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks all connections, and refuses new ones. */
  cut(): void {
    this.#state = 'cut';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Loses every byte from now on. Neither side notices: connections stay open, and new ones are accepted. */
  silence(): void {
    this.#state = 'silent';
    this.#silences++;
  }

  /** Passes bytes on late, in each direction. The delay is in milliseconds. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /**
   * New connections work again, and at full speed. A connection that was open while the link was silent stays silent.
   */
  mend(): void {
    this.#state = 'up';
    this.#delayMs = 0;
  }

  /** Breaks all connections for good. */
  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket): void {
    if (this.#state === 'cut') return void near.destroy();
    const far = connect(this.target, '127.0.0.1');
    this.#forward(near, far, (data) => data);
    this.#forward(far, near, this.#rewrite);
  }

  #forward(from: Socket, to: Socket, change: (data: Buffer) => Buffer): void {
    const silences = this.#silences;
    const isSilent = () => this.#state === 'silent' || this.#silences !== silences;
    // Bytes stay in order, also when the delay changes.
    let last: Promise<unknown> = Promise.resolve();
    this.#sockets.add(from);
    from.on('data', (data) => {
      if (isSilent()) return;
      const delay = this.#delayMs > 0 && new Promise((resolve) => setTimeout(resolve, this.#delayMs));
      last = Promise.all([last, delay]).then(() => to.destroyed || to.write(change(data)));
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      if (!isSilent()) void last.then(() => to.destroySoon());
    });
  }
}

/** A clock whose time does not pass until a test moves it. It begins at 2026-07-28T00:00:00Z. */
export class ManualClock implements Clock {
  #now = Date.parse('2026-07-28T00:00:00Z');
  readonly #timers = new Set<{ at: number; run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /**
   * Lets `ms` milliseconds pass at once, and runs the timers that are due, in the order of their times. Timers
   * that these start wait for the next `advance`.
   */
  advance(ms: number): void {
    this.#now += ms;
    const due = [...this.#timers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at);
    for (const timer of due) if (this.#timers.delete(timer)) timer.run();
  }
}
