import { definitionsOf, referenceName, sharedDefinitions } from '../schema/references.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { ErrorObject } from 'ajv';
import { isAnnotation, isLatestDialect } from '../schema/keywords.js';
import { oncePerSchema } from '../once.js';
import { fitsReference, ofAllByOthers, ofListsByOthers, ofObjectsByOthers } from './applicator-rules.js';
import { ofAll, ofLists, ofNumbers, ofObjects, ofStrings, ofWholeLists } from './assertion-rules.js';
import { currentCheck, isUndecided, TooManyVisitsError, type ValueSource } from './check-budget.js';
import { typeChecks } from './value-checks.js';
import {
  asError,
  fail,
  UnknownKeywordError,
  type ValidationRun,
  type Place,
  type Rule,
} from './validation-run.js';

/** How to check a value. */
interface Look extends Pick<ValidationRun, 'source'> {
  /** Whether to report all mistakes. Otherwise the first mistake ends the check. */
  readonly explain: boolean;
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
  { source, explain }: Look,
): readonly ErrorObject[] {
  const run = { definitions: meaningsIn(schema), source, mistakes: [], all: explain, judge };
  judge(value, schema, { run, schema: [] });
  return run.mistakes.map(asError);
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
  // Ajv follows the others: to the root, to an anchor, and to a part that is no definition.
  if (keyword === '$ref') return referenceName({ $ref: String(value) }) !== undefined;
  if (keyword === 'type' && Array.isArray(value) && value.length === 0) return false;
  if (keyword === 'type') return [value].flat().every((name) => typeChecks.has(name));
  return judged.has(keyword) || isAnnotation(keyword);
}

/** Rules for values of one type. If the schema allows only this type, Ajv reports other types at this point. */
function forType(type: string, rules: readonly Rule[], isOnly: boolean): Rule {
  // Limits count for Infinity too, which is no number of JSON.
  const isOfType = type === 'number' && !isOnly ? isNumber : typeChecks.get(type)!;
  return (value, schema, place) => {
    if (isOfType(value)) return runRules(rules, value, { schema, place });
    return !isOnly || fail(place, { keyword: 'type', params: { type: schema.type } }, schema);
  };
}

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
