import type { ErrorObject } from 'ajv';
import { lazily, oncePerSchema } from '../once.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { isAnnotation, isLatestDialect } from '../schema/keywords.js';
import { definitionsOf, referenceName, sharedDefinitions } from '../schema/references.js';
import { fitsReference, ofAllByOthers, ofListsByOthers, ofObjectsByOthers } from './applicator-rules.js';
import { ofAll, ofLists, ofNumbers, ofObjects, ofStrings, ofWholeLists } from './assertion-rules.js';
import { type ValueSource, TooManyVisitsError, currentCheck, isUndecided, steps } from './check-budget.js';
import { type Purpose, compileWithAjv } from './compile-with-ajv.js';
import { type Problem, TOO_COMPLEX, isLarge, problemsWithinLimits, tellTooLong } from './problem.js';
import { type Place, type Rule, UnknownKeywordError, asError, fail } from './validation-run.js';

/** The problems of a value; undefined if it is valid. */
export type Validator = (value: unknown) => readonly Problem[] | undefined;

const validators = { caller: new WeakMap<object, Validator>(), method: new WeakMap<object, Validator>() };

/** The validator of a schema. A value that is not certainly valid is checked again, to say what is wrong. */
export function validatorFor(schema: JsonSchema, source: ValueSource): Validator {
  const known = validators[source].get(schema);
  if (known) return known;
  const check = errorsOf(schema, { source, explain: false });
  const explain = errorsOf(schema, { source, explain: true });
  const explained = (value: unknown) => {
    const all = isLarge(value) ? undefined : run(explain, value, { explain: true });
    return all === TOO_COMPLEX ? undefined : all;
  };
  const decide = verdictOf(schema, source);
  const validator = (value: unknown): readonly Problem[] | undefined => {
    const verdict = decide(value);
    if (verdict) return undefined;
    // Most wrong values are small and quickly explained, so they need no second check.
    const all = verdict === false ? explained(value) : undefined;
    if (all && !steps.caller.isExhausted) return all;
    const first = run(check, value, { explain: false });
    if (!first) return undefined;
    if (first === TOO_COMPLEX || steps.caller.isExhausted) return first.map(tellTooLong);
    return (verdict === undefined && explained(value)) || first;
  };
  validators[source].set(schema, validator);
  return validator;
}

/**
 * Returns the errors of values. Ajv is loaded, and compiles the schema, only for keywords that our own
 * functions do not know.
 */
function errorsOf(schema: JsonSchema, purpose: Purpose): (value: unknown) => readonly ErrorObject[] {
  const compiled = lazily(() => compileWithAjv(schema, purpose));
  let isForAjv = false;
  return (value) => {
    if (!isForAjv) {
      try {
        return validateAndExplain(schema, value, purpose);
      } catch (error) {
        if (!(error instanceof UnknownKeywordError)) throw error;
        isForAjv = true;
        beginCheck(purpose);
      }
    }
    return compiled()(value) ? [] : (compiled().errors ?? []);
  };
}

/** The errors of a value, as far as the check goes. */
function run(
  check: (value: unknown) => readonly ErrorObject[],
  value: unknown,
  mode: { explain: boolean },
): readonly Problem[] | undefined {
  beginCheck(mode);
  try {
    const errors = check(value);
    return errors.length === 0 ? undefined : problemsWithinLimits(errors, value);
  } catch (error) {
    if (error instanceof TooManyVisitsError) return TOO_COMPLEX;
    throw error;
  }
}

/** Whether a value, or a part of a validated value, matches a schema, without an explanation. */
export function accepts(schema: JsonSchema): (value: unknown) => boolean {
  const check = errorsOf(schema, { source: 'method', explain: false });
  const decide = verdictOf(schema, 'method');
  return (value) => {
    const verdict = decide(value);
    if (verdict !== undefined) return verdict;
    beginCheck({ explain: false });
    return check(value).length === 0;
  };
}

/** Starts a check. Its budgets are full. */
function beginCheck({ explain }: { explain: boolean }): void {
  currentCheck.number++;
  currentCheck.explain = explain;
}

/**
 * Returns what is wrong with a value, in Ajv's form, but without generated code. Ajv needs seconds to
 * generate code if a type of an SDK refers to hundreds of others, and most tools are called a few times only.
 * This function also works where generated code is forbidden.
 *
 * @returns no errors if the value is valid
 * @throws {UnknownKeywordError} if Ajv has to check the value
 * @throws {TooManyVisitsError}
 */
export function validateAndExplain(
  schema: JsonSchema,
  value: unknown,
  { source, explain }: Purpose,
): readonly ErrorObject[] {
  const run = { definitions: meaningsIn(schema), source, problems: [], all: explain, judge };
  judge(value, schema, { run, schema: [] });
  return run.problems.map(asError);
}

/**
 * Whether values of a schema are valid, without recording what is wrong: most values are right, and this takes the
 * least time. Each value is a check of its own.
 *
 * @returns a function that returns undefined if it cannot decide: Ajv has to check the value, or the budget of the
 * check is used up
 */
export function verdictOf(schema: JsonSchema, source: ValueSource): (value: unknown) => boolean | undefined {
  let place: Place | undefined;
  let isForAjv = false;
  return (value) => {
    currentCheck.number++;
    currentCheck.explain = false;
    if (isForAjv) return undefined;
    place ??= { run: { definitions: meaningsIn(schema), source, all: false, judge }, schema: [] };
    try {
      return judge(value, schema, place) || (isUndecided(source) ? undefined : false);
    } catch (error) {
      if (error instanceof UnknownKeywordError) isForAjv = true;
      else if (!(error instanceof TooManyVisitsError)) throw error;
      return undefined;
    }
  };
}

/** The definitions that references in a schema mean. */
function meaningsIn(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return sharedDefinitions(schema) ?? definitionsOf(schema);
}

function judge(value: unknown, schema: JsonSchema | boolean, place: Place): boolean {
  if (schema === true) return true;
  if (schema === false) return fail(place, NOTHING_FITS, undefined);
  const plan = planOf(schema);
  if (!plan) throw new UnknownKeywordError();
  return runRules(plan, value, { schema, place });
}

const NOTHING_FITS = { keyword: 'false schema', message: 'boolean schema is false' };

function runRules(
  rules: readonly Rule[],
  value: unknown,
  { schema, place }: { schema: JsonSchema; place: Place },
): boolean {
  let fits = true;
  for (const rule of rules) {
    if (rule(value, schema, place)) continue;
    fits = false;
    if (!place.run.all) break;
  }
  return fits;
}

type Group = readonly [type: string | undefined, rules: readonly (readonly [string, Rule<never>])[]];

const groups: readonly Group[] = [
  ['number', ofNumbers],
  ['string', ofStrings],
  [undefined, [['$ref', fitsReference], ...ofAll, ...ofAllByOthers]],
  ['array', [...ofLists, ...ofListsByOthers, ...ofWholeLists]],
  ['object', [...ofObjects, ...ofObjectsByOthers]],
];

const judged = new Set(['type', ...groups.flatMap(([, rules]) => rules.map(([keyword]) => keyword))]);

/** The rules of a schema, in Ajv's order; undefined if it has a keyword that Ajv has to check. */
const planOf = oncePerSchema((schema): readonly Rule[] | undefined => {
  for (const keyword of Object.keys(schema)) if (!isKnown(keyword, schema[keyword])) return undefined;
  const [only, ...otherTypes] = [schema.type ?? []].flat();
  const plan: Rule[] = [];
  let isTypeChecked = schema.type === undefined;
  for (const [type, rules] of groups) {
    const used = rules.filter(([keyword]) => schema[keyword] !== undefined).map(([, rule]) => rule as Rule);
    if (used.length === 0) continue;
    if (type === undefined) plan.push(...used);
    else {
      const isOnly = type === only && otherTypes.length === 0;
      plan.push(forType(type, used, isOnly));
      isTypeChecked ||= isOnly;
    }
  }
  return isTypeChecked ? plan : [hasType, ...plan];
});

/** False for a keyword that only Ajv can check, with generated code. */
export function isKnown(keyword: string, value: unknown): boolean {
  if (keyword === '$schema') return isLatestDialect(String(value));
  // Ajv follows the others: to the root, to an anchor, and to a part that is not a definition.
  if (keyword === '$ref') return referenceName({ $ref: String(value) }) !== undefined;
  if (keyword === 'type' && Array.isArray(value) && value.length === 0) return false;
  if (keyword === 'type') return [value].flat().every((name) => typeChecks.has(name));
  return judged.has(keyword) || isAnnotation(keyword);
}

/** Rules for values of one type. If the schema allows only this type, Ajv reports other types at this point. */
function forType(type: string, rules: readonly Rule[], isOnly: boolean): Rule {
  // Limits count for Infinity too, which is not a number of JSON.
  const isOfType = type === 'number' && !isOnly ? isNumber : typeChecks.get(type)!;
  return (value, schema, place) => {
    if (isOfType(value)) return runRules(rules, value, { schema, place });
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

function hasType(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { type } = schema;
  const fits = Array.isArray(type)
    ? type.some((name) => typeChecks.get(name)!(value))
    : typeChecks.get(type)!(value);
  return fits || fail(place, { keyword: 'type', params: { type } }, schema);
}
