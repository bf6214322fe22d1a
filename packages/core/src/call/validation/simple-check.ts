import { referenceName, type JsonSchema } from '@toolwright/manifest';
import { isLatestDialect } from '../../base/schema/dialects.js';
import type { Maker } from './check-budget.js';
import { fitting, meaningsIn } from './judge-schema.js';
import { UnknownKeywordError } from './judging.js';
import { TooManyVisitsError } from './visit-budget.js';

/** Whether a value fits; undefined where that cannot be judged here. */
export type SimpleCheck = (value: unknown) => boolean | undefined;
type Check = (value: unknown) => boolean;

interface Context {
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly maker: Maker;
}
type Compile = (schema: JsonSchema, context: Context) => Check | undefined;

/**
 * A fast check of values by functions that are made for the schema, each definition when the first value gets there. Its
 * verdict is Ajv's; why a value does not fit is for others to say. So most servers never load Ajv, which takes 45 ms of CPU
 * and 4 MB.
 *
 * @returns undefined when the schema has a keyword that only Ajv knows
 */
export function simpleCheck(schema: JsonSchema, maker: Maker): SimpleCheck | undefined {
  const check = compile(schema, { definitions: meaningsIn(schema), maker });
  return (
    check &&
    ((value) => {
      visitsLeft = MAX_VISITS;
      isCertain = true;
      try {
        return check(value) || (isCertain ? false : undefined);
      } catch (error) {
        if (error instanceof UnknownKeywordError || error instanceof TooManyVisitsError) return undefined;
        throw error;
      }
    })
  );
}

/** Alternatives that refer to each other double the work with each level: beyond this, the larger budget of explanations decides. */
const MAX_VISITS = 20_000;
let visitsLeft = 0;
/** False: a part of the value was refused without a look. */
let isCertain = true;

function refuseUnseen(): false {
  return (isCertain = false);
}

function compile(schema: JsonSchema | boolean, context: Context): Check | undefined {
  if (typeof schema === 'boolean') return () => schema;
  // Which items and properties are others depends on these.
  if (schema.prefixItems || schema.patternProperties) return fitting(schema, context);
  const checks: Check[] = [];
  for (const keyword of Object.keys(schema)) {
    if (schema[keyword] === undefined || says.has(keyword) || keyword.startsWith('x-')) continue;
    const make = keywords.get(keyword);
    const check = make ? make(schema, context) : fitting({ [keyword]: schema[keyword] }, context);
    if (!check) return undefined;
    checks.push(check);
  }
  if (checks.length === 1) return checks[0];
  return (value) => {
    for (const check of checks) if (!check(value)) return false;
    return true;
  };
}

/** Keywords that forbid nothing. */
const says = new Set(
  'title description default examples deprecated readOnly writeOnly $comment $defs definitions contentEncoding contentMediaType'.split(
    ' ',
  ),
);

const types = new Map<unknown, Check>([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => Number.isFinite(value)],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['array', (value) => Array.isArray(value)],
  ['object', isRecord],
]);

const always = () => true;

const keywords = new Map<string, Compile>([
  ['$schema', ({ $schema }) => (isLatestDialect(String($schema)) ? always : undefined)],
  ['type', ({ type }) => (type?.length ? anyOf([type].flat().map((name) => types.get(name))) : undefined)],
  ['enum', ({ enum: values }, context) => oneOf(values) ?? fitting({ enum: values }, context)],
  ['const', ({ const: value }, context) => oneOf([value]) ?? fitting({ const: value }, context)],
  ['minimum', ({ minimum }) => forNumbers(minimum, (value, limit) => value >= limit)],
  ['maximum', ({ maximum }) => forNumbers(maximum, (value, limit) => value <= limit)],
  [
    'exclusiveMinimum',
    ({ exclusiveMinimum }) => forNumbers(exclusiveMinimum, (value, limit) => value > limit),
  ],
  [
    'exclusiveMaximum',
    ({ exclusiveMaximum }) => forNumbers(exclusiveMaximum, (value, limit) => value < limit),
  ],
  ['minItems', ({ minItems }) => forLists(minItems, ({ length }, limit) => length >= limit)],
  ['maxItems', ({ maxItems }) => forLists(maxItems, ({ length }, limit) => length <= limit)],
  ['items', ({ items }, context) => forEach(items, context)],
  ['anyOf', ({ anyOf: schemas }, context) => anyOf(schemas?.map((each) => compile(each, context)))],
  ['allOf', ({ allOf: schemas }, context) => allOf(schemas?.map((each) => compile(each, context)))],
  ['$ref', forReference],
  ['properties', forProperties],
  // Judged together with the properties, where there are any.
  ['required', (schema, context) => (schema.properties ? always : forProperties(schema, context))],
  [
    'additionalProperties',
    (schema, context) => (schema.properties || schema.required ? always : forProperties(schema, context)),
  ],
]);

function anyOf(checks: readonly (Check | undefined)[] = []): Check | undefined {
  if (!checks.every((check) => check !== undefined)) return undefined;
  return checks.length === 1 ? checks[0] : (value) => checks.some((check) => check(value));
}

function allOf(checks: readonly (Check | undefined)[] = []): Check | undefined {
  if (!checks.every((check) => check !== undefined)) return undefined;
  return (value) => checks.every((check) => check(value));
}

/** Objects and arrays would have to be compared in depth. */
function oneOf(values: readonly unknown[] | undefined): Check | undefined {
  if (!values || values.some((value) => typeof value === 'object' && value !== null)) return undefined;
  const allowed = new Set(values);
  return (value) => allowed.has(value);
}

function forNumbers(limit: number | undefined, fits: (value: number, limit: number) => boolean) {
  return limited(limit, (value, edge) => typeof value !== 'number' || fits(value, edge));
}

function forLists(limit: number | undefined, fits: (value: unknown[], limit: number) => boolean) {
  return limited(limit, (value, edge) => !Array.isArray(value) || fits(value, edge));
}

function limited(
  limit: number | undefined,
  fits: (value: unknown, limit: number) => boolean,
): Check | undefined {
  return typeof limit === 'number' ? (value) => fits(value, limit) : undefined;
}

function forEach(items: JsonSchema | boolean | undefined, context: Context): Check | undefined {
  const check = items === undefined ? undefined : compile(items, context);
  return check && ((value) => !Array.isArray(value) || value.every(check));
}

function forProperties(schema: JsonSchema, context: Context): Check | undefined {
  const { properties: named = {}, required = [], additionalProperties: others = true } = schema;
  if (!isRecord(named) || !Array.isArray(required)) return undefined;
  const checks = new Map<string, Check>();
  for (const [name, property] of Object.entries(named)) {
    const check = compile(property, context);
    if (!check) return undefined;
    checks.set(name, check);
  }
  const other = compile(others, context);
  if (!other) return undefined;
  return (value) => {
    if (!isRecord(value)) return true;
    for (const name of required) if (!Object.hasOwn(value, name)) return false;
    for (const name of Object.keys(value)) {
      const part = value[name];
      // JSON has no undefined: whether such a property is there is not for this place to say.
      if (part === undefined) return refuseUnseen();
      if (!(checks.get(name) ?? other)(part)) return false;
    }
    return true;
  };
}

/** What was made of the definitions of a manifest, for all of its schemas. */
const checksOf: Record<Maker, WeakMap<Context['definitions'], Map<string, Check>>> = {
  caller: new WeakMap(),
  method: new WeakMap(),
};

/** A definition is compiled when the first value gets there: most values reach a few of those that a large type has. */
function forReference(schema: JsonSchema, context: Context): Check | undefined {
  const { definitions, maker } = context;
  const name = referenceName(schema);
  const target = name === undefined ? undefined : definitions[name];
  if (name === undefined || !target) return undefined;
  let known = checksOf[maker].get(definitions);
  if (!known) checksOf[maker].set(definitions, (known = new Map()));
  const checks = known;
  return (value) => {
    if (--visitsLeft < 0) return refuseUnseen();
    let check = checks.get(name);
    if (!check) checks.set(name, (check = compile(target, context) ?? refuseUnseen));
    return check(value);
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
