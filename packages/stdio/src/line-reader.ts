import { isUtf8 } from 'node:buffer';
import { RequestIdReader } from './request-id-reader.js';

const LINE_FEED = 10;
const BYTE_ORDER_MARK = '\uFEFF';

export interface LineListener {
  line(text: string): void;
  /** Is called when a line is longer than allowed, or is not UTF-8. `id`: of a request that is too long, if it is known. */
  failure(reason: string, id?: string | number): void;
}

/**
 * Cuts a stream of bytes into lines. It works on bytes, so a character that is split between two chunks stays
 * whole. It holds at most one line of the allowed length. Of a longer one it reads the id, and keeps nothing.
 */
export class LineReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Set while a line is skipped. */
  #skipped: RequestIdReader | undefined;
  #isFirst = true;

  constructor(
    private readonly maxBytes: number,
    private readonly listener: LineListener,
  ) {}

  push(chunk: Buffer): void {
    if (this.#bytes === 0) return this.#pushLines(chunk);
    const end = chunk.indexOf(LINE_FEED);
    if (end < 0) return this.#keep(chunk);
    this.#keep(chunk.subarray(0, end));
    this.#finish();
    this.#pushLines(chunk.subarray(end + 1));
  }

  /** Ends the stream. The text after the last line feed is a line, too. */
  end(): void {
    this.#finish();
  }

  /** Takes what begins with a line. The usual chunk has whole lines, which are made one text and cut as such. */
  #pushLines(chunk: Buffer): void {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    const lines = end === chunk.length ? chunk : chunk.subarray(0, end);
    // No line is longer than all of them.
    if (end > this.maxBytes || !isUtf8(lines)) this.#pushEach(lines);
    else if (end > 0) for (const line of lines.toString('utf8', 0, end - 1).split('\n')) this.#take(line);
    if (end < chunk.length) this.#keep(chunk.subarray(end));
  }

  #pushEach(lines: Buffer): void {
    let start = 0;
    for (let end = lines.indexOf(LINE_FEED); end >= 0; end = lines.indexOf(LINE_FEED, start)) {
      this.#keep(lines.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#skipped) return this.#skipped.push(part);
    this.#chunks.push(part);
    if (this.#bytes <= this.maxBytes) return;
    this.#skipped = new RequestIdReader();
    for (const chunk of this.#chunks.splice(0)) this.#skipped.push(chunk);
  }

  #finish(): void {
    const line = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const skipped = this.#skipped;
    this.#chunks = [];
    this.#bytes = 0;
    this.#skipped = undefined;
    if (skipped) this.listener.failure(`The line is longer than ${this.maxBytes} bytes.`, skipped.id);
    else if (isUtf8(line)) this.#take(line.toString('utf8'));
    else this.listener.failure('The line is not UTF-8.');
  }

  #take(line: string): void {
    // Some shells and editors of Windows begin a stream with this mark.
    const start = this.#isFirst && line.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    this.#isFirst = false;
    const text = line.slice(start, line.endsWith('\r') ? -1 : undefined);
    if (text.trim() !== '') this.listener.line(text);
  }
}
