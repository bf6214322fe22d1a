import type { Readable, Writable } from 'node:stream';

/** How many bytes of answers may wait until the client reads them. */
const MAX_UNREAD_BYTES = 1_048_576;

/** Writes one message per line. While the client does not read, it reads no more input. */
export class LineWriter {
  constructor(
    private readonly output: Writable,
    private readonly input: Readable,
  ) {}

  write(text: string): void {
    const { output } = this;
    if (!output.writable) return;
    // All messages of one turn of the event loop are written together.
    if (output.writableCorked === 0) {
      output.cork();
      setImmediate(() => output.uncork());
    }
    output.write(`${text}\n`);
    if (output.writableLength > MAX_UNREAD_BYTES) this.waitForReader();
  }

  /** Resolves when everything was handed to the output. */
  flush(): Promise<void> {
    if (!this.output.writable) return Promise.resolve();
    return new Promise((resolve) => this.output.write('', () => resolve()));
  }

  /** Stops reading: the answers to further requests would pile up without a limit. */
  private waitForReader(): void {
    if (this.input.isPaused()) return;
    this.input.pause();
    this.output.once('drain', () => this.input.resume());
  }
}
