import type { ServerResponse } from 'node:http';
import type { Clock } from '@toolwright/core';
import type { EventSink } from '@toolwright/core/transport';

export interface SseSettings {
  maxBufferedBytes: number;
  keepAliveMs: number;
  clock: Clock;
}

/**
 * A response that is a stream of events. It cuts off a client that reads more slowly than the server writes.
 */
export class SseStream implements EventSink {
  #cancelKeepAlive: (() => void) | undefined;

  constructor(
    private readonly res: ServerResponse,
    private readonly settings: SseSettings,
  ) {
    this.#collect();
    res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      // nginx and other proxies would hold events back to fill a buffer.
      'X-Accel-Buffering': 'no',
    });
    res.flushHeaders();
    res.once('close', () => this.#cancelKeepAlive?.());
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
    if (this.res.writableEnded) return;
    // On Node 24, text that is still collected would be lost: `end` does not write it there.
    if (this.res.writableCorked > 0) this.res.uncork();
    this.res.end();
  }

  #put(text: string): void {
    const { res } = this;
    if (res.writableEnded || res.destroyed) return;
    // The next message would exceed the buffer, so the stream is closed, and the message need not be kept.
    const { writableLength } = res;
    if (writableLength > 0 && writableLength + text.length > this.settings.maxBufferedBytes) {
      res.destroy();
      return;
    }
    this.#collect();
    res.write(text);
    // Compression middleware collects data until it is told to flush.
    (res as { flush?: () => void }).flush?.();
    // If a reader stalls, the server would hold everything for it (measured elsewhere: 96 MB).
    if (res.writableLength > this.settings.maxBufferedBytes) res.destroy();
  }

  /** All messages of one turn of the event loop are sent together. */
  #collect(): void {
    const { res } = this;
    if (res.writableCorked > 0) return;
    res.cork();
    setImmediate(() => {
      if (!res.writableEnded) res.uncork();
    });
  }

  #keepAlive(): void {
    this.#cancelKeepAlive = this.settings.clock.after(this.settings.keepAliveMs, () => {
      this.#put(': keep-alive\n\n');
      this.#keepAlive();
    });
  }
}
