import type { JsonSchema } from '../schema/json-schema.js';
import { shortFormOf } from '../constraints/pattern-words.js';
import { valueText } from '../numbers/exact-number-text.js';
import { cutText } from '../text/cut-text.js';
import { didYouMean } from '../text/nearest-names.js';
import type { FailedKeyword } from './validation-run.js';

type Params = Record<string, unknown>;
type Phrase = (params: Params, schema: JsonSchema) => string;

const count = (params: Params, one: string) =>
  `${String(params.limit)} ${one}${params.limit === 1 ? '' : 's'}`;
const comparisons: Record<string, string> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'more than',
  '<': 'less than',
};
const bound: Phrase = ({ comparison, limit }) =>
  `a number, ${comparisons[String(comparison)]} ${valueText(limit)}`;

/** The requirement of each keyword, in words. */
const phrases: Record<string, Phrase> = {
  type: ({ type }) => list(([] as unknown[]).concat(type).map((name) => article(String(name)))),
  required: ({ missingProperty }, schema) =>
    `required${detail(schema.properties?.[String(missingProperty)])}, but missing`,
  dependentRequired: ({ property }) => `required when ${String(property)} is given, but missing`,
  additionalProperties: ({ additionalProperty }, schema) => unknownProperty(additionalProperty, schema),
  unevaluatedProperties: ({ unevaluatedProperty }, schema) => unknownProperty(unevaluatedProperty, schema),
  enum: ({ allowedValues }) => `one of ${values(allowedValues as unknown[])}`,
  const: ({ allowedValue }) => values([allowedValue]),
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: ({ multipleOf }) => `a multiple of ${valueText(multipleOf)}`,
  minLength: (params) => `at least ${count(params, 'character')}`,
  maxLength: (params) => `at most ${count(params, 'character')}`,
  pattern: ({ pattern }) =>
    shortFormOf(String(pattern))?.words ?? `text that matches ${cutText(String(pattern), 200, '…')}`,
  format: ({ format }) => formats[String(format)] ?? `text in the format "${String(format)}"`,
  minItems: (params) => `at least ${count(params, 'item')}`,
  maxItems: (params) => `at most ${count(params, 'item')}`,
  uniqueItems: ({ i, j }) => `no two equal items, but items ${String(j)} and ${String(i)} are`,
  minProperties: (params) => `at least ${count(params, 'key')}`,
  maxProperties: (params) => `at most ${count(params, 'key')}`,
  anyOf: (_, { anyOf }) => alternatives(anyOf),
  oneOf: ({ passingSchemas }, { oneOf }) =>
    passingSchemas ? 'a value that fits exactly one alternative, but it fits several' : alternatives(oneOf),
};

const formats: Record<string, string> = {
  date: 'a date such as "2026-07-28"',
  'date-time': 'a date and time such as "2026-07-28T12:00:00Z"',
  time: 'a time such as "12:00:00Z"',
  duration: 'a duration such as "P1DT2H"',
  // The words of the pattern of @IsEmail, too: one problem that both find is one line of the error.
  email: 'an e-mail address such as "name@example.com"',
  uri: 'a URL such as "https://example.com/page"',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
};

/** The requirement of a failed keyword, such as `a string` or `one of "asc", "desc"`. */
export function expectation({ keyword, params, parentSchema, message }: FailedKeyword): string {
  const phrase = phrases[keyword];
  return phrase
    ? phrase(params as Params, (parentSchema ?? {}) as JsonSchema)
    : (message ?? `to satisfy "${keyword}"`);
}

function unknownProperty(name: unknown, { properties = {} }: JsonSchema): string {
  const known = Object.keys(properties);
  const meant = didYouMean(String(name), known);
  return `not a known property; allowed: ${cutText(known.join(', ') || 'none', 300, '…')}${meant && `.${meant}`}`;
}

/** TypeScript's `never` is a choice without values: the property must be left out. */
function alternatives(schemas: readonly JsonSchema[] | undefined): string {
  if (schemas?.length === 0) return 'nothing here';
  const described = [...new Set((schemas ?? []).map(describe))];
  return described.length === 0 || described.includes('')
    ? 'one of several forms, see the schema'
    : list(described);
}

/** A schema in a few words; empty if it needs more. */
function describe(schema: JsonSchema): string {
  if (schema.const !== undefined) return values([schema.const]);
  if (schema.enum) return `one of ${values(schema.enum)}`;
  if (schema.format && formats[schema.format]) return formats[schema.format]!;
  return schema.type ? list(([] as string[]).concat(schema.type).map(article)) : '';
}

function detail(schema: JsonSchema | undefined): string {
  const described = schema && describe(schema);
  return described ? ` (${described})` : '';
}

function article(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function values(allowed: readonly unknown[]): string {
  return cutText(allowed.map(valueText).join(', '), 300, '…');
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}
