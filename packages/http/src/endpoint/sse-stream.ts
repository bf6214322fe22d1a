import { type EventSink, type Peer, ReaderQueue, type ReaderSettings } from '@toolwright/core/transport';
import type { Exchange } from './exchange.js';

export interface SseSettings extends ReaderSettings {
  readonly keepAliveMs: number;
}

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // nginx and other proxies would hold events back to fill a buffer.
  'X-Accel-Buffering': 'no',
};

/** A response that is a stream of events. */
export class SseStream implements EventSink {
  readonly #queue: ReaderQueue;
  #cancelKeepAlive: (() => void) | undefined;

  constructor(
    exchange: Exchange,
    private readonly settings: SseSettings,
    peer: Peer,
  ) {
    this.#queue = new ReaderQueue(exchange.openStream(HEADERS), settings, peer);
    exchange.whenClosed(() => {
      this.#cancelKeepAlive?.();
      this.#queue.release();
    });
    this.#keepAlive();
  }

  get isBehind(): boolean {
    return this.#queue.isBehind;
  }

  /** Writes one `message` event. JSON text has no line breaks, so it fits on one data line. */
  write(text: string, eventId?: string): void {
    this.#queue.write(text, eventId === undefined ? 'data: ' : `id: ${eventId}\ndata: `, '\n\n');
  }

  writeEvent(name: string, data: string): void {
    this.#queue.write(data, `event: ${name}\ndata: `, '\n\n');
  }

  /**
   * Sends the head of the answer now. Some platforms and middleware hold it back until the first byte of the body, and a
   * client waits for it before it goes on.
   */
  begin(): void {
    this.#queue.write(': open\n\n');
  }

  /** Tells the client how long it should wait before it reconnects. */
  writeRetry(milliseconds: number): void {
    this.#queue.write(`retry: ${milliseconds}\n\n`);
  }

  close(): void {
    this.#cancelKeepAlive?.();
    this.#queue.end();
  }

  #keepAlive(): void {
    this.#cancelKeepAlive = this.settings.clock.after(this.settings.keepAliveMs, () => {
      // What waits keeps the connection open by itself.
      if (this.#queue.waiting === 0) this.#queue.write(': keep-alive\n\n');
      this.#keepAlive();
    });
  }
}
