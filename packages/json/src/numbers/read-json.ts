import { endOfString } from '../text/json-strings.js';
import { setOwn } from '../base/json-values.js';

/** The number of digits of the shortest integer that a double cannot hold: 2^53 + 1 is 9007199254740993. */
const LONG = 16;

/** Each published package has a copy of this module, and knows the integers of the others by it. JSON has no symbols. */
const IS_LONG_INTEGER = Symbol.for('toolwright.longInteger');

/**
 * An integer as its sender wrote it, where a double would be another one. It is a class of its own, so that no code takes
 * it for a number or for a text of the sender.
 */
export class LongInteger {
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && IS_LONG_INTEGER in value;
  }

  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  get [IS_LONG_INTEGER](): true {
    return true;
  }

  toString(): string {
    return this.#digits;
  }

  toJSON(): string {
    return this.#digits;
  }
}

/**
 * JSON.parse, but an integer that a double would change becomes a `LongInteger`. Numbers with a fraction or an exponent
 * are rounded as usual, and those beyond the range of a double are infinite.
 *
 * @param most how many such integers are kept; default: all. Each takes as long as twenty other values, so a reader of texts
 *   of strangers keeps one more than it takes, and refuses the whole text for it: those after it are rounded.
 * @throws {SyntaxError} for text that is not JSON
 */
export function readJson(text: string, most = Infinity): unknown {
  const value = JSON.parse(text) as unknown;
  return hasLongDigits(text) ? readLong(text, value, most) : value;
}

/**
 * Whether a text has sixteen digits in a row. One of them is at a multiple of sixteen, so only these characters are looked
 * at in usual texts.
 */
export function hasLongDigits(text: string): boolean {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let first = at;
    while (first > at - LONG && isDigit(text.charCodeAt(first - 1))) first--;
    let last = at;
    while (last < first + LONG && isDigit(text.charCodeAt(last + 1))) last++;
    if (last - first >= LONG - 1) return true;
  }
  return false;
}

/** The place before the first character has no code, and so no digit. */
function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether a number is so large that its integers are not all doubles. This includes infinities. */
export function isBeyondSafe(value: number): boolean {
  return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER;
}

/** Whether a double holds an integer that is written in decimal digits. */
export function holdsInteger(digits: string): boolean {
  if (digits.length < LONG) return true;
  // Reading a long text as a bigint takes more than linear time, and no double has more digits.
  if (digits.length > MOST_DIGITS) return false;
  const value = Number(digits);
  return Number.isFinite(value) && BigInt(digits) === BigInt(value);
}

/** A sign, and the digits of 1e308. */
const MOST_DIGITS = 310;

/**
 * The same JSON with a string of digits in place of each integer that would be written with other digits once a double has
 * held it. 175928847299117056 is a double, and JSON.stringify writes …060. Answers of other servers are read so, and travel on
 * to clients. A text that is not JSON stays as it is.
 */
export function quoteLongIntegers(text: string): string {
  if (!hasLongDigits(text)) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const isKept = (digits: string) => String(Number(digits)) === digits;
  return withQuotes(text, '', { isKept, most: Infinity });
}

/** @param value what `JSON.parse` made of the text, with rounded numbers */
function readLong(text: string, value: unknown, most: number): unknown {
  const mark = `${crypto.randomUUID()} `;
  const quoted = withQuotes(text, mark, { isKept: holdsInteger, most });
  return quoted === text ? value : withLongIntegers(JSON.parse(quoted), mark);
}

/** Which integers of a text become strings. */
interface Quoting {
  isKept(digits: string): boolean;
  readonly most: number;
}

/** Makes a string of each integer of a JSON text that is not kept. @param mark is put before its digits */
function withQuotes(text: string, mark: string, { isKept, most }: Quoting): string {
  const pieces: string[] = [];
  let end = 0;
  let left = most;
  for (const { at, literal } of longNumbers(text)) {
    if (/[.eE]/.test(literal) || isKept(literal)) continue;
    pieces.push(text.slice(end, at), `"${mark}${literal}"`);
    end = at + literal.length;
    if (--left <= 0) break;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(end);
}

/** The numbers of a JSON text that have sixteen digits in a row. */
function* longNumbers(text: string): Generator<{ at: number; literal: string }> {
  const digits = /\d{16}/g;
  const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  let quote = text.indexOf('"');
  for (let found = digits.exec(text); found;) {
    let outside: number;
    if (quote !== -1 && quote < found.index) {
      outside = endOfString(text, quote);
      // It is looked for once: a text without further quotes would be searched to its end for each number.
      quote = text.indexOf('"', outside);
      if (outside <= found.index) continue;
    } else {
      let at = found.index;
      while (NUMBER_PART.has(text[at - 1]!)) at--;
      number.lastIndex = at;
      const [literal] = number.exec(text)!;
      yield { at, literal };
      outside = at + literal.length;
    }
    digits.lastIndex = outside;
    found = digits.exec(text);
  }
}

const NUMBER_PART: ReadonlySet<string> = new Set('0123456789-+.eE');

/** Puts an integer in place of each marked text. It keeps a list of its own, because nesting may be deeper than the stack. */
function withLongIntegers(root: unknown, mark: string): unknown {
  const whole = { root };
  const holders: object[] = [whole];
  for (let holder = holders.pop(); holder; holder = holders.pop()) {
    for (const [key, value] of Object.entries(holder) as [string, unknown][]) {
      if (typeof value === 'object' && value !== null) holders.push(value);
      else if (typeof value === 'string' && value.startsWith(mark))
        setOwn(holder, key, new LongInteger(value.slice(mark.length)));
    }
  }
  return whole.root;
}
