import { referenceName, type JsonSchema } from '@toolwright/manifest';
import { isAnnotation } from '../../base/schema/annotations.js';
import { isLatestDialect } from '../../base/schema/dialects.js';
import type { Matcher } from '../../base/patterns/step-budget.js';
import { currentCheck, isUntold, type Maker } from './check-budget.js';
import { fitting, meaningsIn } from './judge-schema.js';
import { UnknownKeywordError } from './judging.js';
import { matcherOf } from './matcher-of.js';
import { assertions, isRecord, type Check } from './simple-assertions.js';
import { TooManyVisitsError } from './visit-budget.js';

/** Whether a value fits; undefined where that cannot be judged here. */
export type SimpleCheck = (value: unknown) => boolean | undefined;
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
 * Asks `otherwise` only for values that do not certainly fit. The fast check is made when the first value comes.
 *
 * @param otherwise is told the verdict of the fast check, too
 */
export function unlessItFits<T>(
  schema: JsonSchema,
  maker: Maker,
  otherwise: (value: unknown, verdict: false | undefined) => T,
): (value: unknown) => T | undefined {
  let fast: { check: SimpleCheck | undefined } | undefined;
  return (value) => {
    beginCheck({ explain: false });
    fast ??= { check: simpleCheck(schema, maker) };
    const verdict = fast.check?.(value);
    return verdict ? undefined : otherwise(value, verdict);
  };
}

/** From here on, the budgets of checks are full. */
export function beginCheck({ explain }: { explain: boolean }): void {
  currentCheck.number++;
  currentCheck.explain = explain;
}

/**
 * Makes the checks of parts of a schema, each once.
 *
 * @returns begins a look, whose checks of parts share one allowance
 */
export function partChecks(
  schema: JsonSchema,
  maker: Maker,
): () => (part: JsonSchema | boolean) => SimpleCheck | undefined {
  const context = { definitions: meaningsIn(schema), maker };
  const known = new Map<JsonSchema | boolean, SimpleCheck | undefined>();
  const checkOf = (part: JsonSchema | boolean) => {
    if (!known.has(part)) known.set(part, within(compile(part, context)));
    return known.get(part);
  };
  return () => {
    visitsLeft = MAX_VISITS;
    return checkOf;
  };
}

function within(check: Check | undefined): SimpleCheck | undefined {
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

/** Alternatives that refer to each other double the work with each level. As many as an explanation may follow. */
const MAX_VISITS = 200_000;
let visitsLeft = 0;
/** False: a part of the value was refused without a look. */
let isCertain = true;

function refuseUnseen(): false {
  return (isCertain = false);
}

function compile(schema: JsonSchema | boolean, context: Context): Check | undefined {
  if (typeof schema === 'boolean') return () => schema;
  // Which items are others depends on these.
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
  ['properties', forProperties],
  // Judged together, by the first of them that there is.
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
    // One that was refused unseen might fit as well.
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
      // JSON has no undefined: whether such a property is there is not for this place to say.
      if (part === undefined) return refuseUnseen();
      let check = checks.get(name);
      for (const { matcher, fits } of patterns)
        if (matcher.test(name)) {
          if (check?.(part) === false) return false;
          check = fits;
        } else if (isUntold(context.maker)) return refuseUnseen();
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
