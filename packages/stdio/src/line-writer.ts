import type { Readable, Writable } from 'node:stream';

/** How many bytes of answers may wait until the client reads them. */
const MAX_UNREAD_BYTES = 1_048_576;

/** Writes one message per line. While the client does not read, it reads no more input. */
export class LineWriter {
  /** The messages of this turn of the event loop, which are written together: as one text, that costs least. */
  private waiting = '';

  constructor(
    private readonly output: Writable,
    private readonly input: Readable,
  ) {}

  write(text: string): void {
    if (!this.output.writable) return;
    if (this.waiting === '') setImmediate(passOn, this);
    this.waiting += `${text}\n`;
    // A character is at least a byte.
    if (this.output.writableLength + this.waiting.length > MAX_UNREAD_BYTES) this.waitForReader();
  }

  /** Resolves when everything was handed to the output. */
  flush(): Promise<void> {
    this.passOn();
    if (!this.output.writable) return Promise.resolve();
    return new Promise((resolve) => this.output.write('', () => resolve()));
  }

  /** Hands over what waits. */
  passOn(): void {
    const { output, waiting } = this;
    this.waiting = '';
    if (waiting !== '' && output.writable) output.write(waiting);
  }

  /** Stops reading: the answers to further requests would pile up without a limit. */
  private waitForReader(): void {
    this.passOn();
    // Only a stream that has too much says when it has room again.
    if (this.input.isPaused() || !this.output.writableNeedDrain) return;
    this.input.pause();
    this.output.once('drain', () => this.input.resume());
  }
}

const passOn = (writer: LineWriter) => writer.passOn();
