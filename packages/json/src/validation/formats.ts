import { lazily } from '../schema/once.js';
import { BYTE } from '../addresses/addresses.js';

/** Whether a text has a format: a pattern, or a function. */
export type TextFormat = RegExp | ((text: string) => boolean);

const PERCENT = '%[0-9a-f]{2}';
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const MAIL_ATOM = `[\\u00a1-\\uffef${ATOM.slice(1)}`;
const MAIL_LABEL = '[a-z0-9\\u00a1-\\uffef](?:[a-z0-9\\u00a1-\\uffef-]*[a-z0-9\\u00a1-\\uffef])?';
const VARIABLE = `(?:[a-z0-9_]|${PERCENT})+(?::[1-9][0-9]{0,3}|\\*)?`;
const POINTER = '(?:\\/(?:[^~/]|~0|~1)*)*';

/**
 * The formats whose values are texts, by name. A format that is not here forbids nothing. They accept what ajv-formats
 * accepts, except where that is wrong; a test compares them.
 */
export const textFormats: Readonly<Record<string, TextFormat>> = {
  date: isDate,
  time: (text) => isTime(text, 'zone'),
  'date-time': (text) => isDateTime(text, 'zone'),
  'iso-time': (text) => isTime(text, 'any'),
  'iso-date-time': (text) => isDateTime(text, 'any'),
  duration: /^P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|(?:\d+W)?)$/,
  uri: (text) => /[/:]/.test(text) && uri().test(text),
  'uri-reference': (text) => uriReference().test(text),
  'uri-template': new RegExp(
    `^(?:[^\\x00-\\x20"'<>%\\\\^\`{|}]|${PERCENT}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*$`,
    'i',
  ),
  url: urlPattern(),
  // Also the addresses of RFC 6531, with other letters than English ones.
  email: new RegExp(
    `^(?:${MAIL_ATOM}(?:\\.${MAIL_ATOM})*|"(?:[^"\\\\\\r\\n]|\\\\.)*")@(?:${MAIL_LABEL}\\.)+${MAIL_LABEL}$`,
    'i',
  ),
  hostname: new RegExp(`^(?=.{1,253}\\.?$)${LABEL}(?:\\.${LABEL})*\\.?$`, 'i'),
  ipv4: new RegExp(`^(?:${BYTE}\\.){3}${BYTE}$`),
  ipv6: isIpv6,
  regex: isRegex,
  uuid: /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  'json-pointer': new RegExp(`^${POINTER}$`),
  'json-pointer-uri-fragment': new RegExp(`^#(?:\\/(?:[a-z0-9_\\-.!$&'()*+,;:=@]|${PERCENT}|~0|~1)*)*$`, 'i'),
  'relative-json-pointer': new RegExp(`^(?:0|[1-9]\\d*)(?:#|${POINTER})$`),
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
};

/** The formats of OpenAPI whose values are numbers. */
export const numberFormats: Readonly<Record<string, (value: number) => boolean>> = {
  int32: (value) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31,
  int64: Number.isInteger,
};

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(z|([+-])(\d\d)(?::?(\d\d))?)?$/i;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `full-date` of RFC 3339. */
function isDate(text: string): boolean {
  const parts = DATE.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])] as const;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const last = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= last;
}

/** `full-time` of RFC 3339. A leap second is the last one of a day in UTC. */
function isTime(text: string, zone: 'zone' | 'any'): boolean {
  const parts = TIME.exec(text);
  if (!parts || (zone === 'zone' && !parts[4])) return false;
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])] as const;
  const [hours, minutes] = [Number(parts[6] ?? 0), Number(parts[7] ?? 0)] as const;
  if (hours > 23 || minutes > 59) return false;
  if (hour <= 23 && minute <= 59 && second < 60) return true;
  const sign = parts[5] === '-' ? -1 : 1;
  const inUtc = minute - minutes * sign;
  const hourInUtc = hour - hours * sign - (inUtc < 0 ? 1 : 0);
  return (hourInUtc === 23 || hourInUtc === -1) && (inUtc === 59 || inUtc === -1) && second < 61;
}

function isDateTime(text: string, zone: 'zone' | 'any'): boolean {
  return isDate(text.slice(0, 10)) && /[t\s]/i.test(text.charAt(10)) && isTime(text.slice(11), zone);
}

const HEX = /^[0-9a-f]{1,4}$/i;

function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const all = groups.flat();
  const last = all.at(-1);
  const isMixed =
    last !== undefined && groups.at(-1)!.length > 0 && (textFormats['ipv4'] as RegExp).test(last);
  const count = all.length + (isMixed ? 1 : 0);
  if (halves.length === 2 ? count > 7 : count !== 8) return false;
  return (isMixed ? all.slice(0, -1) : all).every((group) => HEX.test(group));
}

function isRegex(text: string): boolean {
  if (/[^\\]\\Z/.test(text)) return false;
  try {
    return Boolean(new RegExp(text));
  } catch {
    return false;
  }
}

const SCHEME = '[a-z][a-z0-9+\\-.]*:';
const uri = lazily(() => new RegExp(`^${SCHEME}${hierarchy('')}${ending('')}$`, 'i'));
/** A reference may hold `"`, which many pages have. */
const uriReference = lazily(() => new RegExp(`^(?:${SCHEME})?${hierarchy('"')}?${ending('"')}$`, 'i'));

/** Characters that stand for themselves in an address (RFC 3986). */
const NAME = "a-z0-9\\-._~!$&'()*+,;=";

function hierarchy(more: string): string {
  const group = '[0-9a-f]{1,4}';
  const byte = '(?:25[0-5]|2[0-4]\\d|[01]?\\d\\d?)';
  const last = `(?:${group}:${group}|(?:${byte}\\.){3}${byte})`;
  const before = (most: number) => `(?:(?:${group}:){0,${most}}${group})?::`;
  const ipv6 = [
    `(?:${group}:){6}${last}`,
    `::(?:${group}:){5}${last}`,
    ...[0, 1, 2, 3, 4].map((most) => `${before(most)}(?:${group}:){${4 - most}}${last}`),
    `${before(5)}${group}`,
    before(6),
  ].join('|');
  const char = `(?:[${NAME}${more}:@]|${PERCENT})`;
  const user = `(?:(?:[${NAME}:]|${PERCENT})*@)?`;
  const host = `(?:\\[(?:${ipv6}|v[0-9a-f]+\\.[${NAME}:]+)\\]|(?:[${NAME}${more}]|${PERCENT})*)`;
  const path = `(?:\\/${char}*)*`;
  return `(?:\\/?\\/${user}${host}(?::\\d*)?${path}|\\/(?:${char}+${path})?|${char}+${path})`;
}

/** The query and the fragment. */
function ending(more: string): string {
  const rest = `(?:[${NAME}${more}:@/?]|${PERCENT})*`;
  return `(?:\\?${rest})?(?:#${rest})?`;
}

/** An address of a page in public networks. Its time is quadratic. */
function urlPattern(): RegExp {
  const letter = '[a-z0-9\\u{a1}-\\u{ffff}]';
  const label = `(?:${letter}+-)*${letter}+`;
  const isPrivate =
    '(?:10|127)(?:\\.\\d{1,3}){3}|(?:169\\.254|192\\.168)(?:\\.\\d{1,3}){2}|172\\.(?:1[6-9]|2\\d|3[01])(?:\\.\\d{1,3}){2}';
  const address =
    '(?:[1-9]\\d?|1\\d\\d|2[01]\\d|22[0-3])(?:\\.(?:1?\\d{1,2}|2[0-4]\\d|25[0-5])){2}\\.(?:[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-4])';
  const host = `(?:(?!${isPrivate})${address}|${label}(?:\\.${label})*\\.[a-z\\u{a1}-\\u{ffff}]{2,})`;
  return new RegExp(`^(?:https?|ftp):\\/\\/(?:\\S+(?::\\S*)?@)?${host}(?::\\d{2,5})?(?:\\/\\S*)?$`, 'iu');
}
