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

/** The beginning of a control sequence: cursor movement, colours, erasing. */
const parameters = /[0-?]*[ -/]*[@-~]/y;
/** Titles, links, the clipboard: everything up to a bell or a string terminator. */
const string = new RegExp(`[^${sets.terminal}\\u0007\\u009c\\n\\r]*(?:\\u0007|\\u001b\\\\|\\u009c)`, 'y');
const short = /[ -/]*[0-~]/y;
const flagAt = new RegExp(flagSequence, 'uy');
/** Variation selectors after the sixteenth are only allowed after an ideograph. */
const ideograph = /\p{Ideographic}$/u;

/** A part of a text that nobody is meant to see. */
interface Hidden {
  readonly index: number;
  readonly end: number;
}

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

/** True when `text` contains something that `cleanText` would change. */
export function hasHidden(text: string): boolean {
  return isDoubtful(text) && findHidden(text).length > 0;
}

/**
 * Writes characters that have no honest use in a text as `\u{…}`, or leaves them out: terminal escapes, tag
 * characters that are not part of a flag, and changes of direction that are not closed in their line.
 * Everything else is data: byte order marks, joiners, soft hyphens, form feeds.
 */
export function cleanText(text: string, how: 'escape' | 'drop'): string {
  if (!isDoubtful(text)) return text;
  let cleaned = '';
  let from = 0;
  const found = findHidden(text);
  for (let next = 0; next < found.length;) {
    const { index } = found[next]!;
    let { end } = found[next++]!;
    // Runs of them are written at once.
    while (found[next]?.index === end) end = found[next++]!.end;
    cleaned += text.slice(from, index) + (how === 'drop' ? '' : writeOut(text.slice(index, end)));
    from = end;
  }
  return from === 0 ? text : cleaned + text.slice(from);
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

const isLead = (code: number) =>
  code === ESC || code === 0x90 || code === 0x98 || code === 0x9b || (code >= 0x9d && code <= 0x9f);
const isBidi = (code: number) => (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
const isEnd = (code: number) =>
  code === 0x0a || code === 0x0d || (code >= 0x1c && code <= 0x1e) || code === 0x85 || code === 0x2029;

/** Whether a tag character is here: the halves of a pair. */
const isTag = (text: string, at: number) => {
  const high = text.charCodeAt(at);
  return high >= 0xdb40 && high <= 0xdb43 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
};

/** It looks at each character once, without a regular expression: a long text may have nothing but hidden ones. */
function findHidden(text: string): readonly Hidden[] {
  const found: Hidden[] = [];
  const lines = new Directions(found);
  /** Where the last part ends. */
  let from = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    let end = at + 1;
    if (isLead(code)) {
      end = endOfTerminal(text, at);
      found.push({ index: at, end });
      from = end;
    } else if (isBidi(code)) lines.take(at, code);
    else if (isEnd(code)) lines.close();
    else if (isTag(text, at)) {
      end = endOfShownTags(text, at, from);
      if (end === at) {
        while (isTag(text, end)) end += 2;
        found.push({ index: at, end });
      }
      from = end;
    }
    at = end;
  }
  lines.close();
  return found.sort((a, b) => a.index - b.index);
}

/** Where tags end that belong to the character before them: those of a flag, or the selector of an ideograph. */
function endOfShownTags(text: string, at: number, from: number): number {
  if (at - 2 >= from && text.startsWith('\u{1F3F4}', at - 2)) {
    const end = endOf(flagAt, text, at - 2);
    if (end !== undefined) return end;
  }
  const tag = text.codePointAt(at)!;
  if (tag < 0xe0100 || tag > 0xe01ef) return at;
  return ideograph.test(text.slice(Math.max(from, at - 2), at)) ? at + 2 : at;
}

function endOfTerminal(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code !== ESC) return endOf(code === 0x9b ? parameters : string, text, at + 1) ?? at + 1;
  const next = text[at + 1] ?? '';
  const whole = next === '[' ? parameters : ']PX^_'.includes(next) && next !== '' ? string : undefined;
  return (whole && endOf(whole, text, at + 2)) ?? endOf(short, text, at + 1) ?? at + 1;
}

/** Where a pattern ends that begins at a place. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
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

  /** @param found gets the changes without a partner */
  constructor(private readonly found: Hidden[]) {}

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
    this.found.push({ index, end: index + 1 });
  }
}

/** Bell and string terminator end a sequence for a terminal, so they are replaced with its beginning. */
const isUnseen = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code === 0x07 || code === ESC || (code >= 0x80 && code <= 0x9f) || isBidi(code) || isTag(text, at);
};

/** Replaces each invisible character by what `write` returns for it. */
function replaceUnseen(text: string, write: (character: string) => string): string {
  const written = new Map<string, string>();
  let replaced = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (!isUnseen(text, at)) continue;
    const end = at + (isTag(text, at) ? 2 : 1);
    const character = text.slice(at, end);
    let form = written.get(character);
    if (form === undefined) written.set(character, (form = write(character)));
    replaced += text.slice(from, at) + form;
    from = end;
    at = end - 1;
  }
  return from === 0 ? text : replaced + text.slice(from);
}

const writeOut = (hidden: string): string => replaceUnseen(hidden, writeHidden);

/** JSON contains characters outside ASCII only in its strings. */
const escapeInJson = (json: string): string => replaceUnseen(json, writeHiddenInJson);

function isJson(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
