/**
 * A regular expression in the form of JSON Schema, with the u flag and no other flag; undefined if it needs
 * other flags.
 */
export function publishedPattern(pattern: RegExp | string, flags: string): string | undefined {
  const given = typeof pattern === 'string' ? flags : pattern.flags;
  const written = typeof pattern === 'string' ? pattern : pattern.source;
  // A sticky pattern matches at the beginning alone.
  const source = given.includes('y') ? `^(?:${written})` : written;
  const used = given.replace(/[dugy]/g, '');
  if (used === '' && isUnicodePattern(source)) return source;
  return used === 'i' ? withoutCase(source) : undefined;
}

/** Whether a pattern is valid with the u flag. */
export function isUnicodePattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the u flag makes no difference. Without the flag, a dot or a negated class counts UTF-16 units, so
 * a character above U+FFFF counts as two.
 */
export function isFlagIndifferent(source: string): boolean {
  const plain = source.replace(/\\[^WDSPpu]/g, '');
  return !/\[\^|\\[WDSPpu]|[^\x20-\x7e]/.test(plain) && !/\.(?![*+](?!\?))/.test(withoutClasses(plain));
}

function withoutClasses(source: string): string {
  return source.replace(/\[[^\]]*\]/g, '[]');
}

/**
 * Writes `/^[a-z]+$/i` as `^[a-zA-Z]+$`. This works if only ASCII letters outside classes and ranges inside
 * classes are affected.
 */
function withoutCase(source: string): string | undefined {
  if (!isUnicodePattern(source) || /[^\x20-\x7e]|\\[pPukxcW]|\(\?</.test(source)) return undefined;
  let result = '';
  let inClass = false;
  for (let index = 0; index < source.length; index++) {
    const character = source[index]!;
    if (character === '\\') result += character + (source[++index] ?? '');
    else if (character === '[') {
      inClass = true;
      result += character;
    } else if (character === ']') {
      inClass = false;
      result += character;
    } else if (!/[a-zA-Z]/.test(character)) result += character;
    else if (!inClass) result += `[${character.toLowerCase()}${character.toUpperCase()}]`;
    else {
      const range = /^([a-zA-Z])-([a-zA-Z])/.exec(source.slice(index));
      if (range && isUpper(range[1]!) !== isUpper(range[2]!)) return undefined;
      const part = range ? range[0] : character;
      index += part.length - 1;
      result += part.toLowerCase() + part.toUpperCase();
    }
  }
  return result;
}

function isUpper(letter: string): boolean {
  return letter === letter.toUpperCase();
}

/** Escapes a text, so that a pattern matches exactly this text. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12]\\d|3[01])';
const week = 'W(?:[0-4]\\d|5[0-3])(?:-?[1-7])?';
const ordinal = '(?:00[1-9]|0[1-9]\\d|[12]\\d{2}|3[0-5]\\d|36[0-6])';
const hour = '(?:[01]\\d|2[0-3])';
const fraction = '(?:[.,]\\d+)?';
/** class-validator also takes seconds without hours and minutes. */
const clock = `(?:${hour}(?::[0-5]\\d(?::[0-5]\\d)?|[0-5]\\d(?:[0-5]\\d)?)?|24:?00(?:[0-5]\\d)?|[0-5]\\d)${fraction}`;
const zone = `(?:[zZ]|[+-]${hour}:?(?:[0-5]\\d)?)`;

/** Dates and times of ISO 8601 that class-validator accepts. */
export const isoDate = (separator: string): string =>
  `^[+-]?\\d{4}(?:(?:-${month}(?:-${day})?|${month}${day}|-?${week}|-?${ordinal})(?:${separator}(?:${clock})?${zone}?)?)?$`;

const letter = '[A-Za-z0-9\\u00a1-\\ud7ff]';
/** In URLs, class-validator also takes characters above U+FFFF, which come in two parts. */
const urlLetter = '[^\\x00-,./:-@[-^`{-\\u00a0-]';
const label = `${letter}+(?:-+${letter}+)*`;
const topLevel = '(?:[A-Za-z\\u00a1-\\ud7ff]{2,63}|xn--[A-Za-z0-9-]{2,})';
const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const ipV4 = `${octet}(?:\\.${octet}){3}`;
const user = '[^\\s<>@/?#:]*(?::[^\\s<>@/?#:]*)?@';
const ipV6 = '\\[[0-9A-Fa-f:.]+\\]';

/** A leap second at any minute, which the format `date-time` has at midnight alone. */
export const leapSecond = `^\\d{4}-${month}-${day}[ tT]${hour}:[0-5]\\d:60(?:\\.\\d+)?(?:[zZ]|[-+]${hour}:[0-5]\\d)$`;

/** Dates and times of ISO 8601 that JavaScript can read. */
export const readableDate = `^\\d{4}-${month}-${day}(?:T${hour}:[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-]${hour}:[0-5]\\d)?)?$`;

/** A host name. `needsDot` says whether it must contain a dot. */
export const hostName = (needsDot: boolean): string =>
  needsDot ? `(?:${label}\\.)+${topLevel}` : `${label}(?:\\.${label})*`;

/** A URL with one of some protocols. */
export function urlPattern(options: UrlOptions): string {
  const { protocols = ['https?', 'ftp'], require_protocol: isNeeded, require_tld: needsDot = true } = options;
  const anyCase = (name: string) => name.replace(/[a-z]/g, (each) => `[${each}${each.toUpperCase()}]`);
  // class-validator also takes `http:example.com`.
  const protocol = `(?:${protocols.map(anyCase).join('|')}):(?://)?`;
  const label = `${urlLetter}+(?:-+${urlLetter}+)*`;
  const name = needsDot ? `(?:${label}\\.)+${topLevel}` : `${label}(?:\\.${label})*`;
  const host = `(?:${name}|${ipV4}|${ipV6})`;
  const start = `${isNeeded ? protocol : `(?:${protocol})?`}(?:${user})?`;
  return `^${start}${host}(?::\\d{0,5})?(?:[/?#][^\\s<>]*)?$`;
}

/** The options of validator that change the pattern. */
export interface UrlOptions {
  readonly protocols?: readonly string[];
  readonly require_protocol?: boolean;
  readonly require_tld?: boolean;
}

const hex = '[0-9a-fA-F]';
const uuidOf = (version: string) => `${hex}{8}-${hex}{4}-${version}${hex}{3}-[89abAB]${hex}{3}-${hex}{12}`;

/** A UUID of a version; undefined for an unknown version. */
export function uuidPattern(version: unknown): string | undefined {
  const name = version === undefined || version === null ? 'all' : String(version).toLowerCase();
  if (/^[1-8]$/.test(name)) return `^${uuidOf(name)}$`;
  if (name === 'loose') return `^${hex}{8}-(?:${hex}{4}-){3}${hex}{12}$`;
  const extremes = '00000000-0000-0000-0000-000000000000|[fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12}';
  return name === 'all' ? `^(?:${uuidOf('[1-8]')}|${extremes})$` : undefined;
}

const identifier = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const number = '(?:0|[1-9]\\d*)';

export const semanticVersion = `^${number}\\.${number}\\.${number}(?:-${identifier}(?:\\.${identifier})*)?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`;
