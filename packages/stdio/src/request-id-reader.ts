import { isRequestId } from '@toolwright/core/transport';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A longer id is not read. */
const MAX_ID_BYTES = 1_024;

/**
 * Finds the id of a request whose text is too long to be kept. Some clients write the id first, and others write it
 * last, so it reads the whole line, piece by piece, and keeps nothing but one short word at a time.
 */
export class RequestIdReader {
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** The key or the value that is being read, of the outermost object. */
  #word: number[] = [];
  #key: unknown;
  #id: unknown;
  #hasMethod = false;
  #isReadable = true;

  /** The id, once it is known. An answer has an id of this side, which must not come back as that of a refusal. */
  get id(): string | number | undefined {
    if (!this.#isReadable || !this.#hasMethod) return undefined;
    const id = this.#id;
    return isRequestId(id) ? id : undefined;
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (!this.#isReadable) return;
      if (this.#isText) this.#readText(byte);
      else this.#readPart(byte);
    }
  }

  #readText(byte: number): void {
    this.#keep(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
  }

  #readPart(byte: number): void {
    if (byte === QUOTE) this.#isText = true;
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) return this.#open(byte);
    if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) return this.#close();
    if (this.#depth === 0) this.#isReadable = byte <= 32 || BYTE_ORDER_MARK.includes(byte);
    if (this.#depth !== 1) return;
    if (byte === COLON) this.#key = this.#takeWord();
    else if (byte === COMMA) this.#takeMember();
    else this.#keep(byte);
  }

  /** A list is a batch, whose requests have many ids. */
  #open(byte: number): void {
    if (this.#depth === 0 && byte === OPEN_LIST) this.#isReadable = false;
    this.#depth++;
  }

  #close(): void {
    this.#depth--;
    if (this.#depth === 0) this.#takeMember();
    if (this.#depth < 0) this.#isReadable = false;
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#word.length <= MAX_ID_BYTES) this.#word.push(byte);
  }

  #takeMember(): void {
    const value = this.#takeWord();
    if (this.#key === 'id') this.#id = value;
    if (this.#key === 'method') this.#hasMethod = typeof value === 'string';
    this.#key = undefined;
  }

  #takeWord(): unknown {
    const bytes = this.#word;
    this.#word = [];
    if (bytes.length > MAX_ID_BYTES) return undefined;
    try {
      return JSON.parse(Buffer.from(bytes).toString('utf8'));
    } catch {
      return undefined;
    }
  }
}
