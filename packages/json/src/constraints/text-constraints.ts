import type { JsonSchema } from '../schema/json-schema.js';
import {
  closely,
  exactly,
  nothing,
  roughly,
  unsaid,
  type ConstraintRule,
  type SchemaPart,
} from './constraint.js';
import { BASE64, EMAIL_END, HEX_COLOR, JWT, MONGO_ID, PORT, SYMBOL } from './pattern-words.js';
import {
  escapePattern,
  hostName,
  isFlagIndifferent,
  isoDate,
  publishedPattern,
  readableDate,
  semanticVersion,
  leapSecond,
  urlPattern,
  uuidPattern,
  type UrlOptions,
} from './text-patterns.js';

type Say = (first: never, second: never, schema: JsonSchema) => SchemaPart;

const text = (say: Say): ConstraintRule => ({
  on: ['string'],
  say: ([first, second], schema) => say(first as never, second as never, schema),
});

const pattern = (source: string): ConstraintRule => text(() => exactly({ pattern: source }));
const nearly = (source: string): ConstraintRule => text(() => closely({ pattern: source }));

/** A rule for a check without options. With options, it is unknown which values the check accepts. */
const plain = (say: () => SchemaPart): ConstraintRule =>
  text((options: unknown) => (isEmpty(options) ? say() : unsaid));

/** The checks of texts, by class-validator's names in lower case. */
export const TEXT_CONSTRAINTS: Readonly<Record<string, ConstraintRule>> = {
  isstring: text(() => nothing),
  minlength: text((least: number) => exactly({ minLength: least })),
  maxlength: text((most: number) => exactly({ maxLength: most })),
  length: text((least: number, most: unknown) => length(least, most)),
  islength: text((least: number, most: unknown) => length(least, most)),
  matches: text((given: RegExp | string, flags: unknown) =>
    matches(given, typeof flags === 'string' ? flags : ''),
  ),
  contains: text((seed: string) => exactly({ pattern: escapePattern(seed) })),
  // Each text contains the empty text, but class-validator does not find it in every one.
  notcontains: text((seed: string) =>
    seed === '' ? unsaid : exactly({ not: { pattern: escapePattern(seed) } }),
  ),
  isalpha: locale('^[A-Za-z]+$'),
  isalphanumeric: locale('^[0-9A-Za-z]+$'),
  islowercase: text(() => roughly({ pattern: '^[^A-Z]*$' })),
  isuppercase: text(() => roughly({ pattern: '^[^a-z]*$' })),
  isascii: pattern('^[\\x00-\\x7F]+$'),
  ismongoid: pattern(MONGO_ID),
  ishexadecimal: pattern('^(?:0[xXhH])?[0-9a-fA-F]+$'),
  ishexcolor: nearly(HEX_COLOR),
  issemver: nearly(semanticVersion),
  ismilitarytime: nearly('^(?:[01]\\d|2[0-3]):?[0-5]\\d$'),
  isjwt: nearly(JWT),
  isport: nearly(PORT),
  isnumberstring: text((options: { no_symbols?: boolean; locale?: string } | undefined) => {
    if (options?.locale !== undefined) return unsaid;
    return exactly({ pattern: options?.no_symbols ? '^[0-9]+$' : '^[+-]?(?:[0-9]*[.])?[0-9]+$' });
  }),
  isbooleanstring: text(() => closely({ enum: ['true', 'false', '1', '0'] })),
  // class-validator accepts only lists and objects here, and no other JSON.
  isjson: text(() => roughly({ contentMediaType: 'application/json', pattern: '^\\s*[{[]' })),
  isbase64: plain(() =>
    closely({
      contentEncoding: 'base64',
      pattern: BASE64,
    }),
  ),
  isiso31661alpha2: text(() => roughly({ pattern: '^[A-Za-z]{2}$' })),
  isiso31661alpha3: text(() => roughly({ pattern: '^[A-Za-z]{3}$' })),
  isiso4217currencycode: text(() => roughly({ pattern: '^[A-Za-z]{3}$' })),

  isemail: plain(() =>
    closely({
      format: 'email',
      maxLength: 254,
      pattern: EMAIL_END,
    }),
  ),
  isurl: text((options: UrlOptions | undefined) => url(options ?? {})),
  isfqdn: plain(() => closely({ pattern: `^${hostName(true)}$` })),
  isuuid: text((version: unknown) => {
    const source = uuidPattern(version);
    return source === undefined ? unsaid : exactly({ format: 'uuid', pattern: source });
  }),
  isiso8601: text((options: DateOptions | undefined, _, schema) => isoText(options, schema)),
  isdatestring: text((options: DateOptions | undefined, _, schema) => isoText(options, schema)),
  isrfc3339: text((_, __, { format }: JsonSchema) =>
    closely(format === 'date-time' ? {} : { anyOf: [{ format: 'date-time' }, { pattern: leapSecond }] }),
  ),
  isip: text((version: unknown) => closely(ipFormat(version))),
  isstrongpassword: text((options: PasswordOptions | undefined) => strongPassword(options ?? {})),
};

interface DateOptions {
  readonly strict?: boolean;
  readonly strictSeparator?: boolean;
}

/**
 * 2020-02-30 has the form of a date but does not exist. A value that becomes a Date has the format of a date, and
 * must be readable.
 */
function isoText({ strict, strictSeparator }: DateOptions = {}, { format }: JsonSchema): SchemaPart {
  const becomesDate = format === 'date-time';
  const keywords = { pattern: becomesDate ? readableDate : isoDate(strictSeparator ? 'T' : '[T\\s]') };
  return strict ? roughly(keywords) : closely(keywords);
}

function length(least: number, most: unknown): SchemaPart {
  return exactly({ minLength: least, ...(typeof most === 'number' ? { maxLength: most } : {}) });
}

function matches(given: RegExp | string, flags: string): SchemaPart {
  const published = publishedPattern(given, flags);
  if (published === undefined) return unsaid;
  const used = typeof given === 'string' ? flags : given.flags;
  return !used.includes('i') && isFlagIndifferent(published)
    ? exactly({ pattern: published })
    : closely({ pattern: published });
}

function locale(source: string): ConstraintRule {
  return text((given: unknown) =>
    given === undefined || given === 'en-US' ? exactly({ pattern: source }) : unsaid,
  );
}

const URL_OPTIONS = new Set(['protocols', 'require_protocol', 'require_tld', 'require_valid_protocol']);

function url(options: UrlOptions & { require_valid_protocol?: boolean }): SchemaPart {
  if (!Object.keys(options).every((name) => URL_OPTIONS.has(name))) return unsaid;
  if (options.protocols?.some((name) => !/^[a-z]+$/.test(name))) return unsaid;
  if (options.require_valid_protocol === false) return unsaid;
  return closely({ pattern: urlPattern(options), maxLength: 2_084 });
}

/** An address of IP version 6 with its zone, which the format does not have. */
const ZONED: JsonSchema = { pattern: '^[0-9A-Fa-f:.]+%[0-9A-Za-z.]+$' };

function ipFormat(version: unknown): JsonSchema {
  if (version !== undefined && version !== null && Number(version) !== 6) return { format: 'ipv4' };
  const six = [{ format: 'ipv6' }, ZONED];
  return { anyOf: version === undefined || version === null ? [{ format: 'ipv4' }, ...six] : six };
}

interface PasswordOptions {
  readonly minLength?: number;
  readonly minLowercase?: number;
  readonly minUppercase?: number;
  readonly minNumbers?: number;
  readonly minSymbols?: number;
}

function strongPassword(options: PasswordOptions): SchemaPart {
  const { minLength = 8, minLowercase = 1, minUppercase = 1, minNumbers = 1, minSymbols = 1 } = options;
  const kinds: [number, string][] = [
    [minLowercase, '[a-z]'],
    [minUppercase, '[A-Z]'],
    [minNumbers, '[0-9]'],
    [minSymbols, SYMBOL],
  ];
  const allOf = kinds
    .filter(([count]) => count > 0)
    .map(([count, kind]) => ({ pattern: Array.from({ length: count }, () => kind).join('.*') }));
  return closely({ minLength, ...(allOf.length > 0 ? { allOf } : {}) });
}

function isEmpty(options: unknown): boolean {
  return options === undefined || options === null || Object.keys(options).length === 0;
}
