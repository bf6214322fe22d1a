import type { ServerResponse } from 'node:http';
import type { ReaderOutlet } from '@toolwright/core/transport';

/** How much is collected at most, in characters. */
const TOGETHER = 65_536;

/** An answer of node:http that is sent in parts. The short parts of one turn of the event loop are sent together. */
export class NodeStreamWriter implements ReaderOutlet {
  readonly #isGone: () => boolean;

  /** @param how the status, and whether the client has gone */
  constructor(
    private readonly res: ServerResponse,
    headers: Readonly<Record<string, string>>,
    { status, isGone }: { status: number; isGone(): boolean },
  ) {
    this.#isGone = isGone;
    this.#collect();
    res.writeHead(status, headers);
    res.flushHeaders();
  }

  get isOpen(): boolean {
    return !this.res.writableEnded && !this.#isGone();
  }

  write(part: string | Uint8Array, taken: () => void): boolean {
    const { res } = this;
    const isCollected = res.writableLength + part.length <= TOGETHER;
    if (isCollected) this.#collect();
    // What is collected has no `drain` event of its own (nodejs/node#60432), so a reader is waited for without it.
    else if (res.writableCorked > 0) uncork(res);
    const isTaken = res.write(part) || isCollected;
    // Compression middleware collects data until it is flushed.
    (res as { flush?: () => void }).flush?.();
    if (!isTaken) res.once('drain', taken);
    return isTaken;
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
      if (!res.writableEnded && res.writableCorked > 0) uncork(res);
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
