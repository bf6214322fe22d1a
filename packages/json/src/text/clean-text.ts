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

const lead = sets.terminal;
const terminal = [
  // Cursor movement, colours, erasing.
  '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
  // Titles, links, the clipboard: everything up to a bell or a string terminator.
  `(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^${lead}\\u0007\\u009c\\n\\r]*(?:\\u0007|\\u001b\\\\|\\u009c)`,
  '\\u001b[ -/]*[0-~]',
  `[${lead}]`,
].join('|');

/** Variation selectors after the sixteenth are only allowed after an ideograph. */
const ideograph = '\\p{Ideographic}[\\u{E0100}-\\u{E01EF}]';
const unseen = `[${sets.tags}]`;

const parts = new RegExp(
  `(?:${flagSequence}|${ideograph})|(?<hidden>${terminal}|${unseen})|(?<bidi>[${sets.direction}])|(?<end>[\\n\\r\\u001c-\\u001e\\u0085\\u2029])`,
  'gu',
);

/** A part of a text that nobody is meant to see. */
interface Hidden {
  readonly index: number;
  readonly text: string;
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
  for (const { index, text: hidden } of findHidden(text)) {
    cleaned += text.slice(from, index) + (how === 'drop' ? '' : writeOut(hidden));
    from = index + hidden.length;
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

function findHidden(text: string): readonly Hidden[] {
  const found: Hidden[] = [];
  const open: Hidden[] = [];
  for (const { groups = {}, index, 0: match } of text.matchAll(parts)) {
    if (groups['hidden'] !== undefined) found.push({ index, text: match });
    else if (groups['end'] !== undefined) found.push(...open.splice(0));
    else if (groups['bidi'] !== undefined) pair({ index, text: match }, open, found);
  }
  return found.concat(open).sort((a, b) => a.index - b.index);
}

const POP = '\u202c';
const POP_ISOLATE = '\u2069';
const isIsolate = ({ text }: Hidden) => text >= '\u2066';

/**
 * Finds changes of direction without a partner. They open and close like brackets, within a paragraph
 * (Unicode Standard Annex 9). Those without a partner are added to `found`.
 */
function pair(control: Hidden, open: Hidden[], found: Hidden[]): void {
  if (control.text === POP) {
    const last = open.at(-1);
    if (last && !isIsolate(last)) open.pop();
    else found.push(control);
  } else if (control.text === POP_ISOLATE) {
    const isolate = open.findLastIndex(isIsolate);
    if (isolate === -1) found.push(control);
    else found.push(...open.splice(isolate).slice(1));
  } else open.push(control);
}

/** The ends of a sequence for a terminal are written out with it. */
const unseenCharacter = new RegExp(`[\\u0007\\u001b\\u0080-\\u009f${sets.direction}${sets.tags}]`, 'gu');

const writeOut = (hidden: string): string => hidden.replace(unseenCharacter, writeHidden);

/** JSON contains characters outside ASCII only in its strings. */
const escapeInJson = (json: string): string => json.replace(unseenCharacter, writeHiddenInJson);

function isJson(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
