import { type JsonSchema, LIMITS, schemaTypeOf } from '@toolwright/json';
import { isDeepStrictEqual } from 'node:util';
import type { ContractChange } from './change.js';

/**
 * The changes at one place. A change in a definition is reported once, with the first path that leads to it.
 * If types share types, there can be millions of paths.
 */
export class FoundChanges {
  private readonly own: (ContractChange | { path: string; found: FoundChanges })[] = [];

  add(change: ContractChange): void {
    this.own.push(change);
  }

  addAt(path: string, found: FoundChanges): void {
    this.own.push({ path, found });
  }

  /** In the order in which they were found. */
  all(): ContractChange[] {
    const changes: ContractChange[] = [];
    this.collect('', changes, new Set());
    return changes;
  }

  private collect(prefix: string, changes: ContractChange[], seen: Set<FoundChanges>): void {
    if (seen.has(this)) return;
    seen.add(this);
    for (const each of this.own) {
      if ('found' in each) each.found.collect(`${prefix}${each.path}`, changes, seen);
      else changes.push({ ...each, path: `${prefix}${each.path}` });
    }
  }
}

export type OptionsKeyword = 'anyOf' | 'oneOf';

/** Keywords for readers. They stay outside when a schema becomes an alternative. */
const words = ['title', 'description', 'default', 'examples', 'deprecated', '$comment', '$schema', '$defs'];

/**
 * Writes two schemas in the same form if only one of them lists alternatives. A `string` that becomes
 * `anyOf: [string, null]` has gained an alternative.
 */
export function alignOptions(before: JsonSchema, after: JsonSchema): [JsonSchema, JsonSchema] {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const [old, now] = [onlyOptions(before, keyword), onlyOptions(after, keyword)];
    if (old && !after[keyword]) return [old, asOptions(after, keyword)];
    if (now && !before[keyword]) return [asOptions(before, keyword), now];
  }
  return [before, after];
}

/** A schema that contains only its alternatives. What limits all of them is in each; `undefined` if that is not possible. */
function onlyOptions(schema: JsonSchema, keyword: OptionsKeyword): JsonSchema | undefined {
  const { [keyword]: options, ...others } = schema;
  if (!Array.isArray(options)) return undefined;
  const { forReaders, limits } = parted(others);
  const names = Object.keys(limits);
  const takes = (option: JsonSchema) =>
    option.$ref === undefined && !names.some((name) => Object.hasOwn(option, name));
  if (names.length > 0 && !(names.every((name) => ofScalars.has(name)) && options.every(takes)))
    return undefined;
  return { ...forReaders, [keyword]: options.map((option) => ({ ...limits, ...option })) };
}

function asOptions(schema: JsonSchema, keyword: OptionsKeyword): JsonSchema {
  const { forReaders, limits } = parted(schema);
  // An empty schema allows everything.
  const options = Array.isArray(schema.type) ? schema.type.map((type) => ({ ...limits, type })) : [limits];
  return { ...forReaders, [keyword]: options };
}

function parted(schema: JsonSchema): { forReaders: JsonSchema; limits: JsonSchema } {
  const entries = Object.entries(schema);
  const part = (isWord: boolean) =>
    Object.fromEntries(entries.filter(([key]) => words.includes(key) === isWord)) as JsonSchema;
  return { forReaders: part(true), limits: part(false) };
}

/** The schemas that have no equal in the other list. */
export function without(
  options: readonly JsonSchema[] = [],
  others: readonly JsonSchema[] = [],
): JsonSchema[] {
  return options.filter((option) => !others.some((other) => isDeepStrictEqual(option, other)));
}

/** Whether no value can match two of the alternatives. It only checks types and constant members. */
export function areDisjoint(options: readonly JsonSchema[] = []): boolean {
  return options.every((option, index) => options.slice(index + 1).every((other) => differ(option, other)));
}

function differ(a: JsonSchema, b: JsonSchema): boolean {
  const [types, others] = [kindsOf(a), kindsOf(b)];
  if (types.length > 0 && others.length > 0 && !types.some((type) => others.includes(type))) return true;
  if ('const' in a && 'const' in b) return !isDeepStrictEqual(a.const, b.const);
  return (a.required ?? []).some((name) => {
    const [one, other] = [a.properties?.[name], b.properties?.[name]];
    const areConstant = one !== undefined && other !== undefined && 'const' in one && 'const' in other;
    return areConstant && b.required?.includes(name) === true && !isDeepStrictEqual(one.const, other.const);
  });
}

/** An integer is a number. */
const kindsOf = ({ type }: JsonSchema) =>
  type === undefined ? [] : [type].flat().map((name) => (name === 'integer' ? 'number' : name));

/**
 * `narrowed`: fewer values are valid than before. `widened`: more values are. `changed`: unknown which of the
 * two.
 */
export type Direction = 'narrowed' | 'widened' | 'changed';

interface KeywordChange {
  direction: Direction;
  message: string;
}

type Compare = (before: JsonSchema, after: JsonSchema) => KeywordChange[];

/** Keywords whose values cannot be compared. Without the keyword, more is allowed. */
const restrictions = [
  'pattern',
  'format',
  'multipleOf',
  'uniqueItems',
  'contentEncoding',
  'propertyNames',
  'not',
];

/** Keywords that mean the same beside alternatives and in each of them, and are compared at their place. */
const ofScalars = new Set(['type', ...LIMITS.lower, ...LIMITS.upper, ...restrictions]);

/** Keywords that are compared elsewhere, and descriptions that forbid nothing. */
const compared = new Set([
  ...ofScalars,
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** Compares the keywords of two schemas that apply to the value itself, not to what is inside it. */
export function compareKeywords(before: JsonSchema, after: JsonSchema): KeywordChange[] {
  const comparisons: Compare[] = [
    compareTypes,
    compareValues,
    ...LIMITS.lower.map((keyword) => compareLimit(keyword, (a, b) => a < b)),
    ...LIMITS.upper.map((keyword) => compareLimit(keyword, (a, b) => a > b)),
    ...restrictions.map(compareRestriction),
    ...Object.keys({ ...before, ...after })
      .filter((keyword) => !compared.has(keyword))
      .map(compareUnknown),
  ];
  return comparisons.flatMap((compare) => compare(before, after));
}

function compareTypes(before: JsonSchema, after: JsonSchema): KeywordChange[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  // If neither schema has a type, the allowed values are compared instead.
  if (isDeepStrictEqual(old, now) || (before.type === undefined && after.type === undefined)) return [];
  const message = `type was ${old.join(' | ') || 'anything'}, is ${now.join(' | ') || 'anything'}`;
  return [{ direction: directionOf(covers(old, now), covers(now, old)), message }];
}

/** The types in the schema. Without any, the types of the allowed values. */
function typesOf(schema: JsonSchema): string[] {
  const { type } = schema;
  if (type !== undefined) return [type].flat().sort();
  return [...new Set(valuesOf(schema)?.map(schemaTypeOf))].sort();
}

/** True if `outer` contains every type of `inner`. Integers are numbers. An empty list means every type. */
function covers(outer: string[], inner: string[]): boolean {
  if (outer.length === 0) return true;
  const fits = (type: string) => outer.includes(type) || (type === 'integer' && outer.includes('number'));
  return inner.length > 0 && inner.every(fits);
}

function compareValues(before: JsonSchema, after: JsonSchema): KeywordChange[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (isDeepStrictEqual(old, now)) return [];
  if (!old) return [{ direction: 'narrowed', message: `only ${list(now!)} is allowed now` }];
  if (!now) return [{ direction: 'widened', message: 'is no longer limited to certain values' }];
  const removed = valuesWithout(old, now);
  const added = valuesWithout(now, old);
  return [
    ...(removed.length > 0
      ? [{ direction: 'narrowed' as const, message: `lost the value ${list(removed)}` }]
      : []),
    ...(added.length > 0
      ? [{ direction: 'widened' as const, message: `gained the value ${list(added)}` }]
      : []),
  ];
}

function valuesOf(schema: JsonSchema): unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}

function valuesWithout(values: unknown[], others: unknown[]): unknown[] {
  return values.filter((value) => !others.some((other) => isDeepStrictEqual(value, other)));
}

const list = (values: unknown[]) => values.map((value) => JSON.stringify(value)).join(', ');

function compareLimit(keyword: string, allowsMore: (a: number, b: number) => boolean): Compare {
  return (before, after) => {
    const [old, now] = [limitOf(before, keyword), limitOf(after, keyword)];
    if (old === now) return [];
    const widened = now === undefined || (old !== undefined && allowsMore(now, old));
    const message = `${keyword} was ${old ?? 'absent'}, is ${now ?? 'absent'}`;
    return [{ direction: widened ? 'widened' : 'narrowed', message }];
  };
}

/** No text is shorter than 0 characters, so this limit has no effect. */
function limitOf(schema: JsonSchema, keyword: string): number | undefined {
  const limit = schema[keyword] as number | undefined;
  return limit === 0 && /^min[A-Z]/.test(keyword) ? undefined : limit;
}

function compareRestriction(keyword: string): Compare {
  return (before, after) => {
    // `uniqueItems: false` forbids nothing.
    const [old, now] = [before[keyword] || undefined, after[keyword] || undefined];
    if (isDeepStrictEqual(old, now)) return [];
    const isWider =
      now === undefined || (keyword === 'multipleOf' && Number(old) % Number(now) === 0 && old !== undefined);
    const direction = old === undefined ? 'narrowed' : isWider ? 'widened' : 'changed';
    return [{ direction, message: `${keyword} was ${show(old)}, is ${show(now)}` }];
  };
}

/** For an unknown keyword, nobody knows what a change means. */
function compareUnknown(keyword: string): Compare {
  return (before, after) =>
    isDeepStrictEqual(before[keyword], after[keyword])
      ? []
      : [
          {
            direction: 'changed',
            message: `${keyword} was ${show(before[keyword])}, is ${show(after[keyword])}`,
          },
        ];
}

const show = (value: unknown) => (value === undefined ? 'absent' : JSON.stringify(value));

function directionOf(oldCoversNew: boolean, newCoversOld: boolean): Direction {
  if (oldCoversNew) return 'narrowed';
  return newCoversOld ? 'widened' : 'changed';
}
