import type { Clock } from '@toolwright/core/ports';
import type { EventSink } from '@toolwright/core/transport';
import type { Exchange, Outlet } from './exchange.js';

export interface SseSettings {
  maxBufferedBytes: number;
  keepAliveMs: number;
  clock: Clock;
}

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // nginx and other proxies would hold events back to fill a buffer.
  'X-Accel-Buffering': 'no',
};

/**
 * A response that is a stream of events. It cuts off a client that reads more slowly than the server writes.
 */
export class SseStream implements EventSink {
  readonly #outlet: Outlet;
  #cancelKeepAlive: (() => void) | undefined;

  constructor(
    exchange: Exchange,
    private readonly settings: SseSettings,
  ) {
    this.#outlet = exchange.openStream(HEADERS);
    exchange.whenClosed(() => this.#cancelKeepAlive?.());
    this.#keepAlive();
  }

  /** Writes one `message` event. JSON text has no line breaks, so it fits on one data line. */
  write(text: string, eventId?: string): void {
    this.#put(eventId === undefined ? `data: ${text}\n\n` : `id: ${eventId}\ndata: ${text}\n\n`);
  }

  writeEvent(name: string, data: string): void {
    this.#put(`event: ${name}\ndata: ${data}\n\n`);
  }

  /** Tells the client how long it should wait before it reconnects. */
  writeRetry(milliseconds: number): void {
    this.#put(`retry: ${milliseconds}\n\n`);
  }

  close(): void {
    this.#cancelKeepAlive?.();
    if (this.#outlet.isOpen) this.#outlet.end();
  }

  #put(text: string): void {
    const outlet = this.#outlet;
    if (!outlet.isOpen) return;
    const { maxBufferedBytes } = this.settings;
    // The next message would exceed the buffer, so the stream is closed, and the message need not be kept.
    const { waiting } = outlet;
    if (waiting > 0 && waiting + text.length > maxBufferedBytes) return outlet.cut();
    outlet.write(text);
    // If a reader stalls, the server would hold everything for it (measured elsewhere: 96 MB).
    if (outlet.waiting > maxBufferedBytes) outlet.cut();
  }

  #keepAlive(): void {
    this.#cancelKeepAlive = this.settings.clock.after(this.settings.keepAliveMs, () => {
      this.#put(': keep-alive\n\n');
      this.#keepAlive();
    });
  }
}
