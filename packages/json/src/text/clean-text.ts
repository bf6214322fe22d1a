import { flagSequence, sets, writeHidden, writeHiddenInJson } from './hidden-characters.js';

/** Cleans a text. It returns the same text when nothing has to be cleaned. */
export type Cleaner = (text: string) => string;

/**
 * All characters that cleaning looks at; many of them are fine in their place. Most texts contain none.
 */
const doubtful = new RegExp(`[${sets.terminal}${sets.direction}${sets.tagHalves}]`);

/** The same characters in JSON, in which they may be written as they are or as an escape. */
const doubtfulInJson = new RegExp(
  `${doubtful.source}|\\\\u(?:001b|009[08b-f]|202[a-e]|206[6-9]|db4[0-3])`,
  'gi',
);

const flagAt = new RegExp(flagSequence, 'uy');
/** Variation selectors after the sixteenth are only allowed after an ideograph. */
const ideograph = /\p{Ideographic}$/u;

/** Characters. From here on, a text is worth a look at whether it is ASCII. */
const LONG = 256;

/**
 * Up to V8 12 (Node 20 and 22), a regular expression looks at one character at a time: 1 ns for each. Counting the
 * bytes of UTF-8 takes a tenth of that. Later versions search with the vector instructions of the processor.
 */
const searchesSlowly = Number.parseInt(process.versions.v8, 10) < 13;

/** True when `text` may contain something that `cleanText` would change. */
export function isDoubtful(text: string): boolean {
  if (searchesSlowly && text.length > LONG && isAscii(text)) return text.includes('\u001b');
  return doubtful.test(text);
}

/** ASCII has as many bytes as characters, and nothing else has. */
function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** How many characters of a JSON text cleaning would look at. It stops counting at `most`. */
export function countDoubtful(json: string, most: number): number {
  if (!json.includes('\\u') && isAscii(json)) return 0;
  doubtfulInJson.lastIndex = 0;
  let count = 0;
  while (count < most && doubtfulInJson.test(json)) count++;
  return count;
}

/**
 * Writes characters that have no honest use in a text as `\u{…}`, or leaves them out: terminal escapes, tag
 * characters that are not part of a flag, and changes of direction that are not closed in their line.
 * Everything else is data: byte order marks, joiners, soft hyphens, form feeds.
 */
export function cleanText(text: string, how: 'escape' | 'drop'): string {
  if (!isDoubtful(text)) return text;
  const hidden = findHidden(text);
  if (!hidden) return text;
  return how === 'drop'
    ? rewrite(text, { hidden, least: SEEN, write: () => '' })
    : rewrite(text, { hidden, least: UNSEEN, write: writeHidden });
}

/**
 * The same for text that may be JSON. A program that parses it as JSON gets exactly the same value, with all
 * of its characters.
 */
export function cleanTextOrJson(text: string, clean: Cleaner): string {
  if (!isDoubtful(text)) return text;
  return isJson(text) ? escapeInJson(text) : clean(text);
}

/**
 * Cleans every string in a JSON value, names of members included. Returns the value itself when nothing has
 * to be cleaned.
 */
export function cleanValue<T>(value: T, clean: Cleaner): T {
  return cleanPart(value, clean) as T;
}

function cleanPart(value: unknown, clean: Cleaner): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => cleanPart(item, clean));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value);
  let isSame = true;
  for (const entry of entries) {
    const [key, part] = entry;
    entry[0] = clean(key);
    entry[1] = cleanPart(part, clean);
    if (entry[0] !== key || entry[1] !== part) isSame = false;
  }
  return isSame ? value : Object.fromEntries(entries);
}

const ESC = 0x1b;
const CSI = 0x9b;
const ST = 0x9c;
const BELL = 0x07;

const isLead = (code: number) =>
  code === ESC || code === 0x90 || code === 0x98 || code === CSI || (code >= 0x9d && code <= 0x9f);
const isBidi = (code: number) => (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
const isEnd = (code: number) =>
  code === 0x0a || code === 0x0d || (code >= 0x1c && code <= 0x1e) || code === 0x85 || code === 0x2029;

/** Whether a tag character is here: the halves of a pair. */
const isTag = (text: string, at: number, high = text.charCodeAt(at)) =>
  high >= 0xdb40 && high <= 0xdb43 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;

/** The marks of characters in what nobody is meant to see. The letters of a sequence can be seen, and its beginning cannot. */
const SEEN = 1;
const UNSEEN = 2;

/**
 * Marks each character of a text that nobody is meant to see. It looks at each character once, without a regular expression and
 * without an object for what it finds: a long text may have nothing but hidden ones.
 *
 * @returns `undefined` when there is none
 */
function findHidden(text: string): Uint8Array | undefined {
  const hidden = new Uint8Array(text.length);
  const lines = new Directions(hidden);
  let isFound = false;
  /** Where the last part ends. */
  let from = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    // Nearly all characters of most texts.
    if (code > 0x1e && code < 0x85) {
      at++;
      continue;
    }
    let end = at + 1;
    if (isLead(code)) {
      end = endOfTerminal(text, at);
      for (let next = at; next < end; next++) hidden[next] = isUnseen(text, next) ? UNSEEN : SEEN;
      isFound = true;
      from = end;
    } else if (isBidi(code)) lines.take(at, code);
    else if (isEnd(code)) lines.close();
    else if (isTag(text, at, code)) {
      end = endOfShownTags(text, at, from);
      if (end === at) {
        for (; isTag(text, end); end += 2) hidden[end] = hidden[end + 1] = UNSEEN;
        isFound = true;
      }
      from = end;
    }
    at = end;
  }
  lines.close();
  return isFound || lines.hasFound ? hidden : undefined;
}

/** Where tags end that belong to the character before them: those of a flag, or the selector of an ideograph. */
function endOfShownTags(text: string, at: number, from: number): number {
  if (at - 2 >= from && text.startsWith('\u{1F3F4}', at - 2)) {
    flagAt.lastIndex = at - 2;
    if (flagAt.test(text)) return flagAt.lastIndex;
  }
  const tag = text.codePointAt(at)!;
  if (tag < 0xe0100 || tag > 0xe01ef) return at;
  return ideograph.test(text.slice(Math.max(from, at - 2), at)) ? at + 2 : at;
}

/** Where a sequence ends that controls a terminal. */
function endOfTerminal(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code !== ESC) return (code === CSI ? endOfControl : endOfString)(text, at + 1) ?? at + 1;
  const next = text.charCodeAt(at + 1);
  const isString = next === 0x5d || next === 0x50 || next === 0x58 || next === 0x5e || next === 0x5f;
  const end = next === 0x5b ? endOfControl(text, at + 2) : isString ? endOfString(text, at + 2) : undefined;
  return end ?? endOfShort(text, at + 1) ?? at + 1;
}

/** The first place whose character is not between two others. */
function skip(text: string, at: number, first: number, last: number): number {
  for (let code; (code = text.charCodeAt(at)) >= first && code <= last;) at++;
  return at;
}

/** The end of a sequence whose last character is between two others. */
function endAfter(text: string, at: number, first: number, last: number): number | undefined {
  const code = text.charCodeAt(at);
  return code >= first && code <= last ? at + 1 : undefined;
}

/** Cursor movement, colours, erasing. */
const endOfControl = (text: string, at: number) =>
  endAfter(text, skip(text, skip(text, at, 0x30, 0x3f), 0x20, 0x2f), 0x40, 0x7e);

const endOfShort = (text: string, at: number) => endAfter(text, skip(text, at, 0x20, 0x2f), 0x30, 0x7e);

/** Titles, links, the clipboard: everything up to a bell or a string terminator. */
function endOfString(text: string, at: number): number | undefined {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BELL || code === ST) return at + 1;
    if (code === ESC && text.charCodeAt(at + 1) === 0x5c) return at + 2;
    if (isLead(code) || code === 0x0a || code === 0x0d) return undefined;
  }
  return undefined;
}

const POP = 0x202c;
const POP_ISOLATE = 0x2069;

/**
 * Finds changes of direction without a partner. They open and close like brackets, within a paragraph
 * (Unicode Standard Annex 9).
 */
class Directions {
  /** Where each one is, and whether it is an isolate: then its place is negative, and counts from -1. */
  readonly #open: number[] = [];
  #isolates = 0;

  /** Whether one has no partner. */
  hasFound = false;

  /** @param hidden gets a mark for each change without a partner */
  constructor(private readonly hidden: Uint8Array) {}

  take(at: number, code: number): void {
    const open = this.#open;
    if (code === POP) {
      if (open.length > 0 && open.at(-1)! >= 0) open.pop();
      else this.#find(at);
    } else if (code === POP_ISOLATE) {
      if (this.#isolates === 0) this.#find(at);
      else this.#popIsolate();
    } else if (code >= 0x2066) {
      this.#isolates++;
      open.push(-1 - at);
    } else open.push(at);
  }

  /** What was opened inside of it has no partner. */
  #popIsolate(): void {
    this.#isolates--;
    for (let last; (last = this.#open.pop()!) >= 0;) this.#find(last);
  }

  /** The paragraph ends. */
  close(): void {
    for (const at of this.#open) this.#find(at < 0 ? -1 - at : at);
    this.#open.length = 0;
    this.#isolates = 0;
  }

  #find(index: number): void {
    this.hidden[index] = UNSEEN;
    this.hasFound = true;
  }
}

/** Bell and string terminator end a sequence for a terminal, so they are replaced with its beginning. */
const isUnseen = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return (
    code === BELL || code === ESC || (code >= 0x80 && code <= 0x9f) || isBidi(code) || isTag(text, at, code)
  );
};

/** How a text is rewritten. */
interface Rewriting {
  /** The mark of each character. From the least one on, it is written in another way. */
  readonly hidden: Uint8Array;
  readonly least: number;
  /** Is asked once for each character that occurs. */
  write(character: string): string;
}

/** Characters that are written at a time, and the longest form of one. */
const CHUNK = 32_768;
const LONGEST = 16;

/** It writes into bytes: adding each piece to a text takes twice as long. */
function rewrite(text: string, { hidden, least, write }: Rewriting): string {
  const forms = new Map<number, string>();
  const bytes = Buffer.allocUnsafe(2 * Math.min(CHUNK, LONGEST * (text.length + 1)));
  const most = bytes.length - 2 * LONGEST;
  let written = '';
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    if (size > most) {
      written += bytes.toString('utf16le', 0, size);
      size = 0;
    }
    if (hidden[at]! < least) {
      const code = text.charCodeAt(at);
      bytes[size++] = code;
      bytes[size++] = code >> 8;
      continue;
    }
    const character = text.codePointAt(at)!;
    let form = forms.get(character);
    if (form === undefined) forms.set(character, (form = write(String.fromCodePoint(character))));
    for (let next = 0; next < form.length; next++) {
      // A form is ASCII.
      bytes[size++] = form.charCodeAt(next);
      bytes[size++] = 0;
    }
    if (character > 0xffff) at++;
  }
  return written + bytes.toString('utf16le', 0, size);
}

/** JSON contains characters outside ASCII only in its strings. */
function escapeInJson(json: string): string {
  const hidden = new Uint8Array(json.length);
  for (let at = 0; at < json.length; at++) if (isUnseen(json, at)) hidden[at] = UNSEEN;
  return rewrite(json, { hidden, least: UNSEEN, write: writeHiddenInJson });
}

function isJson(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
