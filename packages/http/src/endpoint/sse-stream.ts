import type { Clock } from '@toolwright/core/ports';
import type { EventSink } from '@toolwright/core/transport';
import type { Exchange, StreamWriter } from './exchange.js';

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
  readonly #writer: StreamWriter;
  #cancelKeepAlive: (() => void) | undefined;

  constructor(
    exchange: Exchange,
    private readonly settings: SseSettings,
  ) {
    this.#writer = exchange.openStream(HEADERS);
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
    if (this.#writer.isOpen) this.#writer.end();
  }

  #put(text: string): void {
    const writer = this.#writer;
    if (!writer.isOpen) return;
    const { maxBufferedBytes } = this.settings;
    // The next message would exceed the buffer, so the stream is closed, and the message need not be kept.
    const { waiting } = writer;
    if (waiting > 0 && waiting + text.length > maxBufferedBytes) return writer.cut();
    writer.write(text);
    // If a reader stalls, the server would hold everything for it (measured elsewhere: 96 MB).
    if (writer.waiting > maxBufferedBytes) writer.cut();
  }

  #keepAlive(): void {
    this.#cancelKeepAlive = this.settings.clock.after(this.settings.keepAliveMs, () => {
      this.#put(': keep-alive\n\n');
      this.#keepAlive();
    });
  }
}
