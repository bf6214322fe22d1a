import type { ServerResponse } from 'node:http';
import type { StreamWriter } from '../endpoint/exchange.js';

/** An answer of node:http that is sent in parts. All parts of one turn of the event loop are sent together. */
export class NodeStreamWriter implements StreamWriter {
  constructor(
    private readonly res: ServerResponse,
    headers: Readonly<Record<string, string>>,
  ) {
    this.#collect();
    res.writeHead(200, headers);
    res.flushHeaders();
  }

  get isOpen(): boolean {
    return !this.res.writableEnded && !this.res.destroyed;
  }

  get waiting(): number {
    return this.res.writableLength;
  }

  write(text: string): void {
    const { res } = this;
    this.#collect();
    res.write(text);
    // Compression middleware collects data until it is flushed.
    (res as { flush?: () => void }).flush?.();
  }

  end(): void {
    const { res } = this;
    // On Node 24, text that is still collected would be lost: `end` does not write it there.
    if (res.writableCorked > 0) uncork(res);
    res.end();
  }

  cut(): void {
    this.res.destroy();
  }

  #collect(): void {
    const { res } = this;
    if (res.writableCorked > 0) return;
    res.cork();
    setImmediate(() => {
      if (!res.writableEnded) uncork(res);
    });
  }
}

/**
 * Sends what was collected in one write. Node 24 alone takes several: it uncorks the socket first, and then writes the
 * length, each text and the end of the chunk.
 */
function uncork(res: ServerResponse): void {
  const { socket } = res;
  socket?.cork();
  res.uncork();
  socket?.uncork();
}
