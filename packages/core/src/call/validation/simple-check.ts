import { referenceName, sharedDefinitions, type JsonSchema } from '@toolwright/manifest';
import { isLatestDialect } from '../../base/schema/dialects.js';

/** True: the value fits. False: it does not, or cannot be judged here. */
export type SimpleCheck = (value: unknown) => boolean;

type Definitions = Readonly<Record<string, JsonSchema>>;
type Compile = (schema: JsonSchema, definitions: Definitions) => SimpleCheck | undefined;

/**
 * A check of schemas that only use the usual keywords, as most tools' do. It says yes where Ajv would for certain;
 * whatever it does not know or does not like is Ajv's to judge and to explain. So most servers never load Ajv, which
 * takes 45 ms of CPU and 4 MB.
 *
 * @returns undefined when the schema has another keyword
 */
export function simpleCheck(schema: JsonSchema): SimpleCheck | undefined {
  const check = compile(schema, sharedDefinitions(schema) ?? {});
  return (
    check &&
    ((value) => {
      visitsLeft = MAX_VISITS;
      return check(value);
    })
  );
}

/** Alternatives that refer to each other double the work with each level: beyond this, Ajv's budget decides. */
const MAX_VISITS = 20_000;
let visitsLeft = 0;

function compile(schema: JsonSchema, definitions: Definitions): SimpleCheck | undefined {
  const checks: SimpleCheck[] = [];
  for (const keyword of Object.keys(schema)) {
    if (says.has(keyword)) continue;
    const check = keywords.get(keyword)?.(schema, definitions);
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
  'title description default examples deprecated readOnly writeOnly $comment $defs definitions'.split(' '),
);

const types = new Map<unknown, SimpleCheck>([
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
  ['type', ({ type }) => anyOf([type].flat().map((name) => types.get(name)))],
  ['enum', ({ enum: values }) => oneOf(values)],
  ['const', ({ const: value }) => oneOf([value])],
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
  ['minLength', ({ minLength }) => forTexts(minLength, hasCharacters)],
  // Characters are code points, of one or two units: more units than allowed may still be few enough, for Ajv.
  ['maxLength', ({ maxLength }) => forTexts(maxLength, ({ length }, limit) => length <= limit)],
  ['minItems', ({ minItems }) => forLists(minItems, ({ length }, limit) => length >= limit)],
  ['maxItems', ({ maxItems }) => forLists(maxItems, ({ length }, limit) => length <= limit)],
  ['items', ({ items }, definitions) => forEach(items, definitions)],
  ['anyOf', ({ anyOf: schemas }, definitions) => anyOf(schemas?.map((each) => compile(each, definitions)))],
  ['$ref', forReference],
  ['properties', forProperties],
  // Judged together with the properties, where there are any.
  ['required', (schema, definitions) => (schema.properties ? always : forProperties(schema, definitions))],
  [
    'additionalProperties',
    (schema, definitions) =>
      schema.properties || schema.required ? always : forProperties(schema, definitions),
  ],
]);

function anyOf(checks: readonly (SimpleCheck | undefined)[] = []): SimpleCheck | undefined {
  if (checks.length === 0 || !checks.every((check) => check !== undefined)) return undefined;
  return checks.length === 1 ? checks[0] : (value) => checks.some((check) => check(value));
}

/** Objects and arrays would have to be compared in depth. */
function oneOf(values: readonly unknown[] | undefined): SimpleCheck | undefined {
  if (!values || values.some((value) => typeof value === 'object' && value !== null)) return undefined;
  const allowed = new Set(values);
  return (value) => allowed.has(value);
}

function forNumbers(limit: number | undefined, fits: (value: number, limit: number) => boolean) {
  return limited(limit, (value, edge) => typeof value !== 'number' || fits(value, edge));
}

function forTexts(limit: number | undefined, fits: (value: string, limit: number) => boolean) {
  return limited(limit, (value, edge) => typeof value !== 'string' || fits(value, edge));
}

function forLists(limit: number | undefined, fits: (value: unknown[], limit: number) => boolean) {
  return limited(limit, (value, edge) => !Array.isArray(value) || fits(value, edge));
}

function limited(
  limit: number | undefined,
  fits: (value: unknown, limit: number) => boolean,
): SimpleCheck | undefined {
  return typeof limit === 'number' ? (value) => fits(value, limit) : undefined;
}

function hasCharacters(text: string, limit: number): boolean {
  if (text.length < limit || text.length >= 2 * limit) return text.length >= limit;
  // By code points.
  return [...text].length >= limit;
}

function forEach(items: JsonSchema | boolean | undefined, definitions: Definitions): SimpleCheck | undefined {
  const check = typeof items === 'object' ? compile(items, definitions) : undefined;
  return check && ((value) => !Array.isArray(value) || value.every(check));
}

function forProperties(schema: JsonSchema, definitions: Definitions): SimpleCheck | undefined {
  const { properties: named = {}, required = [], additionalProperties: others = true } = schema;
  if (!isRecord(named) || !Array.isArray(required)) return undefined;
  const checks = new Map<string, SimpleCheck>();
  for (const [name, property] of Object.entries(named)) {
    const check = compile(property, definitions);
    if (!check) return undefined;
    checks.set(name, check);
  }
  const other = typeof others === 'boolean' ? () => others : compile(others, definitions);
  if (!other) return undefined;
  return (value) => {
    if (!isRecord(value)) return true;
    for (const name of required) if (!Object.hasOwn(value, name)) return false;
    for (const name of Object.keys(value)) {
      const part = value[name];
      // JSON has no undefined: whether such a property is there is not for this place to say.
      if (part === undefined || !(checks.get(name) ?? other)(part)) return false;
    }
    return true;
  };
}

/** What was made of the definitions of a manifest, for all of its schemas. */
const checksOf = new WeakMap<Definitions, Map<string, SimpleCheck>>();

/** A definition is compiled when the first value gets there: most values reach a few of those that a large type has. */
function forReference(schema: JsonSchema, definitions: Definitions): SimpleCheck | undefined {
  const name = referenceName(schema);
  const target = name === undefined ? undefined : definitions[name];
  if (name === undefined || !target) return undefined;
  let known = checksOf.get(definitions);
  if (!known) checksOf.set(definitions, (known = new Map()));
  const checks = known;
  return (value) => {
    if (--visitsLeft < 0) return false;
    let check = checks.get(name);
    if (!check) checks.set(name, (check = compile(target, definitions) ?? (() => false)));
    return check(value);
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
