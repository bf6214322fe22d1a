import { referenceName } from '../schema/references.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { isAnnotation, isLatestDialect } from '../schema/keywords.js';
import type { Matcher } from '../patterns/step-budget.js';
import {
  type ValueSource,
  TooManyVisitsError,
  currentCheck,
  isUndecided,
  matcherOf,
} from './check-budget.js';
import { fitting, meaningsIn } from './validate-and-explain.js';
import { UnknownKeywordError } from './validation-run.js';
import { assertions, isRecord, type Check } from './compiled-assertions.js';

/** Whether a value is valid; undefined if this check cannot decide. */
export type CompiledCheck = (value: unknown) => boolean | undefined;
interface Context {
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly maker: ValueSource;
}
type Compile = (schema: JsonSchema, context: Context) => Check | undefined;

/**
 * A fast check with functions that are created for the schema, for each definition when the first value
 * reaches it. The verdict is the same as Ajv's. Other code says why a value is invalid. With this check most
 * servers never load Ajv, which takes 45 ms of CPU and 4 MB.
 *
 * @returns undefined if the schema has a keyword that only Ajv knows
 */
export function compiledCheck(schema: JsonSchema, maker: ValueSource): CompiledCheck | undefined {
  const check = within(compile(schema, { definitions: meaningsIn(schema), maker }));
  return (
    check &&
    ((value) => {
      visitsLeft = MAX_VISITS;
      return check(value);
    })
  );
}

/**
 * Calls `otherwise` only for values that are not certainly valid. The fast check is created with the first
 * value.
 *
 * @param otherwise also gets the verdict of the fast check
 */
export function unlessItFits<T>(
  schema: JsonSchema,
  maker: ValueSource,
  otherwise: (value: unknown, verdict: false | undefined) => T,
): (value: unknown) => T | undefined {
  let fast: { check: CompiledCheck | undefined } | undefined;
  return (value) => {
    currentCheck.number++;
    currentCheck.explain = false;
    fast ??= { check: compiledCheck(schema, maker) };
    const verdict = fast.check?.(value);
    return verdict ? undefined : otherwise(value, verdict);
  };
}

/**
 * Creates the checks for parts of a schema, each once.
 *
 * @returns a function that starts a check; its checks of parts share one budget
 */
export function partChecks(
  schema: JsonSchema,
  maker: ValueSource,
): () => (part: JsonSchema | boolean) => CompiledCheck | undefined {
  const context = { definitions: meaningsIn(schema), maker };
  const known = new Map<JsonSchema | boolean, CompiledCheck | undefined>();
  const checkOf = (part: JsonSchema | boolean) => {
    if (!known.has(part)) known.set(part, within(compile(part, context)));
    return known.get(part);
  };
  return () => {
    visitsLeft = MAX_VISITS;
    return checkOf;
  };
}

function within(check: Check | undefined): CompiledCheck | undefined {
  return (
    check &&
    ((value) => {
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

/**
 * Alternatives that refer to each other double the work with each level. The limit is the same as for an
 * explanation.
 */
const MAX_VISITS = 200_000;
let visitsLeft = 0;
/** False if a part of the value was refused without a full check. */
let isCertain = true;

function refuseUnseen(): false {
  return (isCertain = false);
}

function compile(schema: JsonSchema | boolean, context: Context): Check | undefined {
  if (typeof schema === 'boolean') return () => schema;
  // `prefixItems` decides which items the other keywords apply to.
  if (schema.prefixItems) return fitting(schema, context);
  const checks: Check[] = [];
  for (const keyword of Object.keys(schema)) {
    if (schema[keyword] === undefined || isAnnotation(keyword)) continue;
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

const always = () => true;

const keywords = new Map<string, Compile>([
  ['$schema', ({ $schema }) => (isLatestDialect(String($schema)) ? always : undefined)],
  ...[...assertions].map(([keyword, make]): [string, Compile] => [
    keyword,
    (schema, { maker }) => make(schema, maker),
  ]),
  ['items', ({ items }, context) => forEach(items, context)],
  ['anyOf', ({ anyOf: schemas }, context) => anyOf(schemas?.map((each) => compile(each, context)))],
  ['oneOf', ({ oneOf: schemas }, context) => oneOf(schemas?.map((each) => compile(each, context)))],
  ['allOf', ({ allOf: schemas }, context) => allOf(schemas?.map((each) => compile(each, context)))],
  ['$ref', forReference],
  ['if', ({ if: test, then: yes, else: no }, at) => fitting({ if: test, then: yes, else: no }, at)],
  ['properties', forProperties],
  // These are checked together, by the first of them that the schema has.
  ...(['patternProperties', 'required', 'additionalProperties'] as const).map(
    (keyword, index, all): [string, Compile] => [
      keyword,
      (schema, context) => {
        const isFirst =
          !schema.properties && !all.slice(0, index).some((other) => schema[other] !== undefined);
        return isFirst ? forProperties(schema, context) : always;
      },
    ],
  ),
]);

function anyOf(checks: readonly (Check | undefined)[] = []): Check | undefined {
  if (!checks.every((check) => check !== undefined)) return undefined;
  return checks.length === 1 ? checks[0] : (value) => checks.some((check) => check(value));
}

function allOf(checks: readonly (Check | undefined)[] = []): Check | undefined {
  if (!checks.every((check) => check !== undefined)) return undefined;
  return (value) => checks.every((check) => check(value));
}

function oneOf(checks: readonly (Check | undefined)[] = []): Check | undefined {
  if (!checks.every((check) => check !== undefined)) return undefined;
  return (value) => {
    let passing = 0;
    for (const check of checks) if (check(value) && ++passing > 1) return false;
    // An alternative that was refused without a full check might match as well.
    return passing === 1 && isCertain;
  };
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
  const patterns = namePatterns(schema, context);
  if (!other || !patterns) return undefined;
  return (value) => {
    if (!isRecord(value)) return true;
    for (const name of required) if (!Object.hasOwn(value, name)) return false;
    for (const name of Object.keys(value)) {
      const part = value[name];
      // JSON has no undefined, so this place cannot decide whether such a property is present.
      if (part === undefined) return refuseUnseen();
      let check = checks.get(name);
      for (const { matcher, fits } of patterns)
        if (matcher.test(name)) {
          if (check?.(part) === false) return false;
          check = fits;
        } else if (isUndecided(context.maker)) return refuseUnseen();
      if (!(check ?? other)(part)) return false;
    }
    return true;
  };
}

interface NamePattern {
  readonly matcher: Matcher;
  readonly fits: Check;
}

function namePatterns(schema: JsonSchema, context: Context): readonly NamePattern[] | undefined {
  const patterns: NamePattern[] = [];
  for (const [pattern, part] of Object.entries(schema.patternProperties ?? {})) {
    const fits = compile(part, context);
    if (!fits) return undefined;
    patterns.push({ matcher: matcherOf(schema, pattern, context.maker), fits });
  }
  return patterns;
}

/** The checks of a manifest's definitions, for all of its schemas. */
const checksOf: Record<ValueSource, WeakMap<Context['definitions'], Map<string, Check>>> = {
  caller: new WeakMap(),
  method: new WeakMap(),
};

/**
 * A definition is prepared when the first value reaches it. Most values reach only a few definitions of a
 * large type.
 */
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
