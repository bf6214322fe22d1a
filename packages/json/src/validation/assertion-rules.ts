import { canonicalJson, isComposed } from '../base/json-values.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { oncePerSchema } from '../schema/once.js';
import { isMultipleOf } from '../values/is-multiple-of.js';
import { countSteps, isUndecided, matcherOf } from './check-budget.js';
import { formatCheck } from './format-checks.js';
import {
  fail,
  type Place,
  type Rule,
  UnusableSchemaError,
  every,
  inside,
  knownToFit,
} from './validation-run.js';

type Keyword = keyof JsonSchema & string;
type Keywords<T> = readonly (readonly [keyword: string, rule: Rule<T>])[];

/** Rules that check a value itself, in the order in which problems are reported. */
export const ofNumbers: Keywords<number> = [
  limit('maximum', '<=', (value, edge) => value <= edge),
  limit('minimum', '>=', (value, edge) => value >= edge),
  limit('exclusiveMaximum', '<', (value, edge) => value < edge),
  limit('exclusiveMinimum', '>', (value, edge) => value > edge),
  [
    'multipleOf',
    (value, schema, place) => {
      const { multipleOf } = schema;
      return (
        isMultipleOf(value, multipleOf!) ||
        fail(place, { keyword: 'multipleOf', params: { multipleOf } }, schema)
      );
    },
  ],
  ['format', hasFormat],
];

export const ofStrings: Keywords<string> = [
  size('maxLength', isAtMost),
  size('minLength', isAtLeast),
  [
    'pattern',
    (text, schema, place) => {
      const { pattern } = schema;
      const matches = matcherOf(schema, pattern!, place.run.source).test(text);
      return matches || fail(place, { keyword: 'pattern', params: { pattern } }, schema);
    },
  ],
  ['format', hasFormat],
];

export const ofAll: Keywords<unknown> = [
  [
    'const',
    (value, schema, place) =>
      isConst(value, schema) ||
      fail(place, { keyword: 'const', params: { allowedValue: schema.const } }, schema),
  ],
  [
    'enum',
    (value, schema, place) =>
      enumOf(schema)(value) ||
      fail(place, { keyword: 'enum', params: { allowedValues: schema.enum } }, schema),
  ],
];

export const ofLists: Keywords<readonly unknown[]> = [
  size('maxItems', ({ length }, most) => length <= most),
  size('minItems', ({ length }, least) => length >= least),
];

/** Last, because it reads the whole list. */
export const ofWholeLists: Keywords<readonly unknown[]> = [
  [
    'uniqueItems',
    (items, schema, place) => {
      const equal = schema.uniqueItems ? findEqualItems(items) : undefined;
      return !equal || fail(place, { keyword: 'uniqueItems', params: equal }, schema);
    },
  ],
];

export const ofObjects: Keywords<object> = [
  size('maxProperties', (object, most) => Object.keys(object).length <= most),
  size('minProperties', (object, least) => Object.keys(object).length >= least),
  [
    'required',
    (object, schema, place) => {
      let fits = true;
      for (const missingProperty of schema.required!) {
        if (isPresent(object, missingProperty)) continue;
        fits = fail(place, { keyword: 'required', params: { missingProperty } }, schema);
        if (!place.run.all) break;
      }
      return fits;
    },
  ],
];

function limit(
  keyword: Keyword,
  comparison: string,
  fits: (value: number, limit: number) => boolean,
): readonly [string, Rule<number>] {
  return [
    keyword,
    (value, schema, place) => {
      const edge = schema[keyword] as number;
      return fits(value, edge) || fail(place, { keyword, params: { comparison, limit: edge } }, schema);
    },
  ];
}

function size<T>(keyword: Keyword, fits: (value: T, limit: number) => boolean): readonly [string, Rule<T>] {
  return [
    keyword,
    (value, schema, place) => {
      const edge = schema[keyword] as number;
      return fits(value, edge) || fail(place, { keyword, params: { limit: edge } }, schema);
    },
  ];
}

function hasFormat(value: unknown, schema: JsonSchema, place: Parameters<Rule>[2]): boolean {
  const { format } = schema;
  return (
    formatCheck(format!, place.run.source)(value) ||
    fail(place, { keyword: 'format', params: { format } }, schema)
  );
}

function isAtMost(text: string, most: number): boolean {
  return text.length <= most || charactersOf(text) <= most;
}

function isAtLeast(text: string, least: number): boolean {
  return text.length >= 2 * least || charactersOf(text) >= least;
}

/** A character is a code point, of one or two UTF-16 units. */
function charactersOf(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += text.codePointAt(index)! > 0xffff ? 2 : 1) count++;
  return count;
}

const enumOf = oncePerSchema((schema) => amongValues(schema.enum!));
const constOf = oncePerSchema((schema) => amongValues([schema.const]));

function isConst(value: unknown, schema: JsonSchema): boolean {
  return isComposed(schema.const) ? constOf(schema)(value) : value === schema.const;
}

/**
 * The first item that equals an earlier one, and the positions of both. It takes linear time: comparing each object with
 * each other one takes five seconds for 20,000, and a body of 1 MiB can contain 350,000.
 */
function findEqualItems(items: readonly unknown[]): { i: number; j: number } | undefined {
  const values = new Map<unknown, number>();
  // A string may look like the text of an object, so objects have their own map.
  const objects = new Map<string, number>();
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    const isComposed = typeof item === 'object' && item !== null;
    const seen: Map<unknown, number> = isComposed ? objects : values;
    const key = isComposed ? canonicalJson(item) : item;
    const j = seen.get(key);
    if (j !== undefined) return { i, j };
    seen.set(key, i);
  }
  return undefined;
}

/**
 * Whether a value equals one of the values that a schema allows. Objects and lists are compared as text, and
 * the value is serialized once, however many values are allowed.
 */
function amongValues(allowed: readonly unknown[]): (value: unknown) => boolean {
  const values = new Set(allowed);
  const texts = new Set(allowed.filter(isComposed).map((each) => canonicalJson(each)));
  return (value) =>
    values.has(value) || (texts.size > 0 && isComposed(value) && texts.has(canonicalJson(value)));
}

/** @throws {UnusableSchemaError} for a type that nobody knows */
export function typesOf({ type, nullable }: JsonSchema): readonly string[] {
  const types = [type ?? []].flat();
  for (const name of types)
    if (!typeChecks.has(name))
      throw new UnusableSchemaError(`There is no type "${String(name)}" in JSON Schema.`);
  // Servers whose schemas come from OpenAPI 3.0 write so, and other validators take it.
  return nullable === true && types.length > 0 ? [...new Set([...types, 'null'])] : types;
}

/** Rules for values of one type. If the schema allows only this type, other types are reported at this point. */
export function forType(type: string, rules: readonly Rule[], isOnly: boolean): Rule {
  // Limits count for Infinity too, which is not a number of JSON.
  const isOfType = type === 'number' && !isOnly ? isNumber : typeChecks.get(type)!;
  return (value, schema, place) => {
    if (isOfType(value)) return runRules(rules, value, schema, place);
    return !isOnly || fail(place, { keyword: 'type', params: { type: schema.type } }, schema);
  };
}

/** Whether a value has a type of JSON Schema. */
const typeChecks: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map<
  unknown,
  (value: unknown) => boolean
>([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => Number.isFinite(value)],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['array', (value) => Array.isArray(value)],
  ['object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
]);

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

export function hasType(schema: JsonSchema): Rule {
  const checks = typesOf(schema).map((name) => typeChecks.get(name)!);
  return (value, _, place) => {
    for (const check of checks) if (check(value)) return true;
    return fail(place, { keyword: 'type', params: { type: schema.type } }, schema);
  };
}

/** Whether a value has what all rules ask for. */
export function runRules(rules: readonly Rule[], value: unknown, schema: JsonSchema, place: Place): boolean {
  let fits = true;
  for (const rule of rules) {
    if (rule(value, schema, place)) continue;
    fits = false;
    if (!place.run.all) break;
  }
  return fits;
}

/** Rules that check the properties of an object, in the order in which problems are reported. */
export const ofProperties: Keywords<object> = [
  ['propertyNames', isWellNamed],
  ['additionalProperties', hasNoOthersThan],
  dependents('dependencies'),
  ['properties', hasFittingProperties],
  ['patternProperties', hasFittingNames],
  dependents('dependentRequired'),
  dependents('dependentSchemas'),
];

/** Last, because it asks what all others have described. */
export const ofOtherProperties: Keywords<object> = [['unevaluatedProperties', hasNoUnevaluated]];

const valueOf = (object: object, name: string): unknown => (object as Record<string, unknown>)[name];

/** JSON has no undefined, and the inherited `constructor` of every object is not one of its properties. */
export function isPresent(object: object, name: string): boolean {
  return Object.hasOwn(object, name) && valueOf(object, name) !== undefined;
}

function isWellNamed(object: object, schema: JsonSchema, place: Place): boolean {
  const names = schema.propertyNames!;
  const at = inside(place, ['propertyNames']);
  return every(
    Object.keys(object),
    place,
    (name) =>
      place.run.judge(name, names, at) ||
      fail(place, { keyword: 'propertyNames', params: { propertyName: name } }, schema),
  );
}

function hasNoOthersThan(object: object, schema: JsonSchema, place: Place): boolean {
  const { additionalProperties: others, properties, patternProperties } = schema;
  place.evaluated?.addAllNames();
  if (others === true || others === undefined) return true;
  const { run } = place;
  const patterns = patternProperties
    ? Object.keys(patternProperties).map((each) => matcherOf(schema, each, run.source))
    : [];
  const isRight = others === false ? undefined : knownToFit(place, others);
  const names = Object.keys(object);
  if (patterns.length > 0) countSteps(patterns.length * names.length);
  let fits = true;
  for (const name of names) {
    if (properties && Object.hasOwn(properties, name)) continue;
    if (patterns.some((pattern) => pattern.test(name))) continue;
    if (isRight && others !== false) {
      const value = valueOf(object, name);
      if (isRight(value) || run.judge(value, others, inside(place, ['additionalProperties'], name))) continue;
    } else fail(place, { keyword: 'additionalProperties', params: { additionalProperty: name } }, schema);
    fits = false;
    if (!run.all) break;
  }
  return fits;
}

/** Listing them for each value took a third of the time of a check. */
const named = new WeakMap<JsonSchema, [string, JsonSchema | boolean][]>();

function namedParts(schema: JsonSchema): [string, JsonSchema | boolean][] {
  let parts = named.get(schema);
  if (!parts) named.set(schema, (parts = Object.entries(schema.properties!)));
  return parts;
}

function hasFittingProperties(object: object, schema: JsonSchema, place: Place): boolean {
  const { run, evaluated } = place;
  let fits = true;
  for (const [name, part] of namedParts(schema)) {
    const value = valueOf(object, name);
    if (value === undefined || !Object.hasOwn(object, name)) continue;
    evaluated?.addName(name);
    const at = run.problems || evaluated ? inside(place, ['properties', name], name) : place;
    if (run.judge(value, part, at)) continue;
    fits = false;
    if (!run.all) break;
  }
  return fits;
}

function hasFittingNames(object: object, schema: JsonSchema, place: Place): boolean {
  const { run, evaluated } = place;
  const names = Object.keys(object);
  return every(Object.entries(schema.patternProperties!), place, ([pattern, each]) => {
    const matcher = matcherOf(schema, pattern, run.source);
    const isRight = knownToFit(place, each);
    countSteps(names.length);
    return every(names, place, (name) => {
      if (!matcher.test(name)) {
        const at = () => inside(place, ['patternProperties', pattern], name);
        return !isUndecided(run.source) || fail(at(), { keyword: 'pattern', params: { pattern } }, schema);
      }
      evaluated?.addName(name);
      const value = valueOf(object, name);
      return isRight(value) || run.judge(value, each, inside(place, ['patternProperties', pattern], name));
    });
  });
}

/** What each property needs: other properties, or a schema. Draft-07 has one keyword for both. */
function dependents(keyword: string): readonly [keyword: string, rule: Rule<object>] {
  const needsOf = oncePerSchema((schema) =>
    Object.entries(schema[keyword] as Record<string, string[] | JsonSchema | boolean>),
  );
  const rule: Rule<object> = (object, schema, place) =>
    every(needsOf(schema), place, ([property, needed]) => {
      if (!isPresent(object, property)) return true;
      if (!Array.isArray(needed)) return place.run.judge(object, needed, inside(place, [keyword, property]));
      return every(needed, place, (missingProperty) => {
        if (isPresent(object, missingProperty)) return true;
        const deps = needed.join(', ');
        const params = { property, missingProperty, depsCount: needed.length, deps };
        const noun = needed.length === 1 ? 'property' : 'properties';
        const message = `must have ${noun} ${deps} when property ${property} is present`;
        return fail(place, { keyword, params, message }, schema);
      });
    });
  return [keyword, rule];
}

function hasNoUnevaluated(object: object, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  const evaluated = place.evaluated!;
  const other = schema['unevaluatedProperties'] as JsonSchema | boolean;
  const others = Object.keys(object).filter((name) => !evaluated.hasName(name));
  evaluated.addAllNames();
  if (other === true) return true;
  const isRight = other === false ? undefined : knownToFit(place, other);
  return every(others, place, (name) => {
    if (!isRight)
      return fail(place, { keyword: 'unevaluatedProperties', params: { unevaluatedProperty: name } }, schema);
    const value = valueOf(object, name);
    return isRight(value) || run.judge(value, other, inside(place, ['unevaluatedProperties'], name));
  });
}
