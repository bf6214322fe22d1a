import { isUtf8 } from 'node:buffer';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

export interface LineListener {
  line(text: string): void;
  /** Is called when a line is longer than allowed, or is not UTF-8. */
  failure(reason: string): void;
}

/**
 * Cuts a stream of bytes into lines. It works on bytes, so a character that is split between two chunks stays
 * whole. It holds at most one line of the allowed length, and skips the rest of a longer one.
 */
export class LineReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #skipping = false;

  constructor(
    private readonly maxBytes: number,
    private readonly listener: LineListener,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** Ends the stream. The text after the last line feed is a line, too. */
  end(): void {
    this.#finish();
  }

  #keep(part: Buffer): void {
    if (this.#skipping || part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes <= this.maxBytes) {
      this.#chunks.push(part);
      return;
    }
    this.#skipping = true;
    this.#chunks = [];
    this.listener.failure(`The line is longer than ${this.maxBytes} bytes.`);
  }

  #finish(): void {
    const line = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    const text = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
    if (text.length === 0) return;
    if (!isUtf8(text)) this.listener.failure('The line is not UTF-8.');
    else if (text.toString('utf8').trim() !== '') this.listener.line(text.toString('utf8'));
  }
}
