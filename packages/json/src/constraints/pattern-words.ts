import {
  hostName,
  isoDate,
  leapSecond,
  readableDate,
  semanticVersion,
  urlPattern,
  uuidPattern,
  type UrlOptions,
} from './text-patterns.js';

/** What a model needs to know in place of a long pattern. */
export interface ShortForm {
  /** The sort of text, with an example: `a URL such as "https://example.com/page"`. */
  readonly words: string;
  /** The format of the value says it all, so that no words are necessary beside it. */
  readonly format?: string;
  /** The keyword that makes the words unnecessary where the schema has it. */
  readonly saidBy?: string;
}

export const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';
export const PORT = '^[+-]?(?:0|[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])$';
export const HEX_COLOR = '^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$';
export const JWT = '^[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*$';
export const MONGO_ID = '^(?:[0-9a-fA-F]{24}|0[xXhH][0-9a-fA-F]{22})$';
export const EMAIL_END = '\\.(?:[A-Za-z\\u00a1-\\uffef]{2,}|xn--[A-Za-z0-9-]+)$';
export const SYMBOL = '[-#!$@£%^&*()_+|~=`{}\\[\\]:";\'<>?,.\\/\\\\ ]';

const date = 'an ISO 8601 date such as "2026-07-28"';
const uuids = ['all', 'loose', ...[1, 2, 3, 4, 5, 6, 7, 8].map(String)].map(
  (version): [string, ShortForm] => [
    uuidPattern(version)!,
    {
      words: /\d/.test(version) ? `a UUID of version ${version}` : 'a UUID',
      ...(!/\d/.test(version) && { format: 'uuid' }),
    },
  ],
);

/** The long patterns that checks of class-validator have. A pattern that an author wrote is in no table. */
const TABLE: ReadonlyMap<string, ShortForm> = new Map([
  ...uuids,
  [isoDate('T'), { words: 'an ISO 8601 date or time such as "2026-07-28T12:00:00Z"' }],
  [isoDate('[T\\s]'), { words: `${date} or "2026-07-28T12:00:00Z"` }],
  [readableDate, { words: `${date} or "2026-07-28T12:00:00Z"` }],
  [leapSecond, { words: 'a leap second' }],
  [semanticVersion, { words: 'a semantic version such as "1.2.3"' }],
  [`^${hostName(true)}$`, { words: 'a host name such as "www.example.com"' }],
  [BASE64, { words: 'base64', saidBy: 'contentEncoding' }],
  [PORT, { words: 'a port number from 0 to 65535' }],
  [HEX_COLOR, { words: 'a hexadecimal colour such as "#a0b1c2"' }],
  [JWT, { words: 'a JSON Web Token' }],
  [MONGO_ID, { words: 'a MongoDB id of 24 hexadecimal digits' }],
  [EMAIL_END, { words: 'an e-mail address such as "name@example.com"', format: 'email' }],
]);

/** The short form of a pattern; `undefined` if the pattern itself is all that there is to say. */
export function shortFormOf(pattern: string): ShortForm | undefined {
  return TABLE.get(pattern) ?? urlForm(pattern);
}

/** Every pattern of a URL begins with its protocols. The rest is compared as a whole. */
function urlForm(pattern: string): ShortForm | undefined {
  const [, names] = /^\^(?:\(\?:)?\(\?:([A-Za-z?|[\]]+)\):/.exec(pattern) ?? [];
  if (names === undefined) return undefined;
  const protocols = names.replace(/\[(.).\]/g, '$1').split('|');
  const isUrl = FORMS.some((form) => urlPattern({ ...form, protocols }) === pattern);
  if (!isUrl) return undefined;
  const [first = ''] = protocols;
  const usual = first.startsWith('http') ? 'https' : first;
  return { words: `a URL such as "${usual}://example.com/page"` };
}

const FORMS: readonly UrlOptions[] = [true, false].flatMap((require_protocol) =>
  [true, false].map((require_tld) => ({ require_protocol, require_tld })),
);

/** The kinds of characters that `@IsStrongPassword` counts, as its patterns have them. */
const KINDS: Readonly<Record<string, string>> = {
  '[a-z]': 'a-z',
  '[A-Z]': 'A-Z',
  '[0-9]': '0-9',
  [SYMBOL]: 'symbols such as ! or #',
};

/** What a part of a strong password needs, in words: `a-z`, or `2 of 0-9`. */
export function passwordPart(pattern: string): string | undefined {
  for (const [kind, name] of Object.entries(KINDS)) {
    const times = pattern.split('.*').length;
    if (pattern === Array.from({ length: times }, () => kind).join('.*'))
      return times === 1 ? name : `${times} of ${name}`;
  }
  return undefined;
}
