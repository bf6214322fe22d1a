import { hasLongDigits } from '@toolwright/json';
import { readPlainMessage } from './plain-message.js';

/**
 * The messages of a stream of events, read as `readPlainMessage` does it and written again: the SDK reads them with JSON.parse.
 * Bytes are changed in events with long integers or `null` alone. A part of a line waits for its end, as it does in the SDK.
 */
export class ExactEvents {
  #rest: Uint8Array[] = [];

  /** @param check throws for the text of a message that must not be read */
  constructor(private readonly check: (text: string) => void) {}

  /** @returns the lines that are whole; nothing while there is none */
  take(chunk: Uint8Array): Uint8Array | undefined {
    const end = Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR)) + 1;
    if (end === 0) return void this.#rest.push(chunk);
    const lines =
      this.#rest.length === 0 ? chunk.subarray(0, end) : joined(this.#rest, chunk.subarray(0, end));
    this.#rest = end < chunk.length ? [chunk.subarray(end)] : [];
    return this.#exact(lines);
  }

  #exact(lines: Uint8Array): Uint8Array {
    const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
    const text = bytes.toString('utf8');
    for (const [, data] of text.matchAll(DATA)) this.check(data!);
    if (!isOdd(text)) return lines;
    return Buffer.from(text.replace(DATA, (line, data: string) => exactData(line, data)));
  }

  /** What a stream that has ended leaves behind. */
  rest(): Uint8Array | undefined {
    return this.#rest.length === 0 ? undefined : joined(this.#rest);
  }
}

const [LF, CR] = [10, 13];
const DATA = /^data:([^\r\n]*)/gm;

const joined = (parts: readonly Uint8Array[], last: Uint8Array = new Uint8Array()) =>
  Buffer.concat([...parts, last]);

/** Whether the SDK would read it in another way than `readPlainMessage`. */
const isOdd = (text: string) => text.includes('null') || hasLongDigits(text);

function exactData(line: string, data: string): string {
  if (!isOdd(data)) return line;
  try {
    return `data:${JSON.stringify(readPlainMessage(data))}`;
  } catch {
    // A message may have several lines. The SDK says what is wrong with any other.
    return line;
  }
}
