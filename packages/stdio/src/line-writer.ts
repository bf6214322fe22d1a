import type { Readable, Writable } from 'node:stream';

/** Bytes of answers that may wait to be read. */
const MAX_UNREAD_BYTES = 1_048_576;

/** Writes a message a line; from a client that does not read, nothing more is taken. */
export class LineWriter {
  constructor(
    private readonly output: Writable,
    private readonly input: Readable,
  ) {}

  write(text: string): void {
    const { output } = this;
    if (!output.writable) return;
    // What is said in one turn of the event loop goes out in one piece.
    if (output.writableCorked === 0) {
      output.cork();
      setImmediate(() => output.uncork());
    }
    output.write(`${text}\n`);
    if (output.writableLength > MAX_UNREAD_BYTES) this.waitForReader();
  }

  /** Resolves when everything has been handed over. */
  flush(): Promise<void> {
    if (!this.output.writable) return Promise.resolve();
    return new Promise((resolve) => this.output.write('', () => resolve()));
  }

  /** The answers to more requests would pile up without bound. */
  private waitForReader(): void {
    if (this.input.isPaused()) return;
    this.input.pause();
    this.output.once('drain', () => this.input.resume());
  }
}
