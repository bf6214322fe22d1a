import type { JsonSchema } from '../schema/json-schema.js';
import { olderDialect } from '../schema/keywords.js';
import { definitionsOf, sharedDefinitions } from '../schema/references.js';
import { toLatestDialect } from '../schema/to-latest-dialect.js';
import { runRules } from './assertion-rules.js';
import {
  type ValueSource,
  TooManyStepsError,
  currentCheck,
  MANY_STEPS,
  isUndecided,
  lookAtCheck,
  steps,
} from './check-budget.js';
import { makePlan, type CheckPlan } from './plan.js';
import { type Problem, TOO_COMPLEX, isLarge, problemsWithinLimits, tellTooLong } from './problem.js';
import { type FailedKeyword, type Place, asFailedKeyword, fail, startOf } from './validation-run.js';
import { forgetVerdicts, judgeOnce } from './verdict-memo.js';

/** The problems of a value; undefined if it is valid. */
export type Validator = (value: unknown) => readonly Problem[] | undefined;

const validators = { caller: new WeakMap<object, Validator>(), method: new WeakMap<object, Validator>() };

/** About 2 ms. A wrong value of a stranger that took more is not explained as a whole. */
const FEW_STEPS = 20_000;

/** Schemas that accept all values, and none. */
const booleans = { true: {}, false: { allOf: [false as unknown as JsonSchema] } };

/** The validator of a schema. A value that is not certainly valid is checked again, to say what is wrong. */
export function validatorFor(given: JsonSchema | boolean, source: ValueSource): Validator {
  const schema: JsonSchema = typeof given === 'boolean' ? booleans[`${given}`] : given;
  const known = validators[source].get(schema);
  if (known) return known;
  const explained = (value: unknown) => {
    // A second check would hold the event loop once more. The first problem has to do.
    const isDear = currentCheck.isStrangers && currentCheck.steps > FEW_STEPS;
    const all = isDear || isLarge(value) ? undefined : run(schema, value, { source, explain: true });
    return all === TOO_COMPLEX ? undefined : all;
  };
  const decide = verdictOf(schema, source);
  const validator = (value: unknown): readonly Problem[] | undefined => {
    // What has taken long once, with no clear verdict, is not decided and then explained: one reading does both.
    if (currentCheck.isWhole && currentCheck.steps > FEW_STEPS)
      return run(schema, value, { source, explain: false });
    const verdict = decide(value);
    if (verdict === true) return undefined;
    if (verdict === 'too complex') return TOO_COMPLEX;
    // Most wrong values are small and quickly explained, so they need no second check.
    const all = verdict === false ? explained(value) : undefined;
    if (all && !steps.caller.isExhausted) return all;
    const first = run(schema, value, { source, explain: false });
    if (!first) return undefined;
    if (first === TOO_COMPLEX || steps.caller.isExhausted) return first.map(tellTooLong);
    return (verdict === 'undecided' && explained(value)) || first;
  };
  validators[source].set(schema, validator);
  return validator;
}

/** Whose values are checked, and whether all problems are reported. Otherwise the first one ends a check. */
interface Purpose {
  readonly source: ValueSource;
  readonly explain: boolean;
}

/** The problems of a value, as far as the check goes. */
function run(schema: JsonSchema, value: unknown, purpose: Purpose): readonly Problem[] | undefined {
  try {
    const failed = validateAndExplain(schema, value, purpose);
    return failed.length === 0 ? undefined : problemsWithinLimits(failed, value);
  } catch (error) {
    if (isTooMuch(error)) return TOO_COMPLEX;
    throw error;
  }
}

/** Whether a value, or a part of a validated value, matches a schema, without an explanation. */
export function accepts(schema: JsonSchema): (value: unknown) => boolean {
  const decide = verdictOf(schema, 'method');
  return (value) => decide(value) === true;
}

/**
 * Returns what is wrong with a value. No code is generated: that takes seconds if a type of an SDK refers to hundreds of
 * others, most tools are called a few times only, and some platforms forbid it.
 *
 * @returns no keywords if the value is valid
 * @throws {TooManyStepsError}
 * @throws {UnusableSchemaError}
 */
export function validateAndExplain(
  schema: JsonSchema,
  value: unknown,
  { source, explain }: Purpose,
): readonly FailedKeyword[] {
  const root = latestOf(schema);
  const found = { root, definitions: meaningsIn(root), source, problems: [], all: explain, judge };
  beginCheck(value, source, explain);
  try {
    judge(value, root, startOf(found));
  } finally {
    endCheck();
  }
  return found.problems.map(asFailedKeyword);
}

/** `undecided`: a text was too long for a pattern. `too complex`: the check was ended early. */
type Verdict = boolean | 'undecided' | 'too complex';

/**
 * Whether values of a schema are valid, without recording what is wrong: most values are right, and this takes the
 * least time. Each value is a check of its own.
 *
 * @throws {UnusableSchemaError} from that function
 */
export function verdictOf(schema: JsonSchema, source: ValueSource): (value: unknown) => Verdict {
  let root: JsonSchema | undefined;
  let place: Place | undefined;
  return (value) => {
    root ??= latestOf(schema);
    place ??= startOf({ root, definitions: meaningsIn(root), source, all: false, judge });
    beginCheck(value, source, false);
    try {
      return judge(value, root, place) || (isUndecided(source) ? 'undecided' : false);
    } catch (error) {
      if (isTooMuch(error)) return 'too complex';
      throw error;
    } finally {
      if (currentCheck.remembers) forgetVerdicts();
      endCheck();
    }
  };
}

/** Too many steps, or more levels than the stack has. A reference that leads to itself has no end. */
function isTooMuch(error: unknown): boolean {
  return error instanceof TooManyStepsError || error instanceof RangeError;
}

const plans = new WeakMap<JsonSchema, CheckPlan>();

/** Looked up here, because it is asked for each value of a message. */
function planOf(schema: JsonSchema): CheckPlan {
  let plan = plans.get(schema);
  if (!plan) plans.set(schema, (plan = makePlan(schema)));
  return plan;
}

/** Whether a value fits a schema, which may be a part of a larger one. */
function judge(value: unknown, schema: JsonSchema | boolean, place: Place): boolean {
  if (schema === true) return true;
  if (schema === false) return fail(place, NOTHING_FITS, undefined);
  const { rules, weight } = planOf(schema);
  // Recording a problem takes about ten times as long as finding it. This is `countSteps`, without a call.
  currentCheck.steps += place.run.problems ? 10 * weight : weight;
  if (currentCheck.steps > currentCheck.look) lookAtCheck();
  return currentCheck.remembers
    ? judgeOnce(value, schema, place, rules)
    : runRules(rules, value, schema, place);
}

const NOTHING_FITS = { keyword: 'false schema', message: 'boolean schema is false' };

/**
 * Checks a value of a server behind by a schema of that server. All checks of its parts are one check: each of them would
 * have a budget of its own, and a list has as many as it has items.
 */
export function checkAsOne<T>(value: unknown, work: () => T): T {
  beginCheck(value, 'method', false);
  currentCheck.isStrangers = true;
  currentCheck.isWhole = true;
  try {
    return work();
  } finally {
    currentCheck.isWhole = false;
    currentCheck.value = undefined;
  }
}

/** Starts a check. Its budgets are full, unless it is a part of another one. */
function beginCheck(value: unknown, source: ValueSource, explain: boolean): void {
  currentCheck.explain = explain;
  if (currentCheck.isWhole) return;
  currentCheck.number++;
  currentCheck.steps = 0;
  currentCheck.look = MANY_STEPS;
  currentCheck.remembers = false;
  currentCheck.value = value;
  currentCheck.isStrangers = source === 'caller';
}

/** Ends a check. Nothing refers to its value any longer, unless it is a part of another one. */
function endCheck(): void {
  if (currentCheck.remembers) forgetVerdicts();
  if (!currentCheck.isWhole) currentCheck.value = undefined;
}

/** The schema in 2020-12. At boot, all schemas are rewritten already. */
function latestOf(schema: JsonSchema): JsonSchema {
  return olderDialect(schema.$schema) ? toLatestDialect(schema) : schema;
}

/** The definitions that references in a schema mean. */
function meaningsIn(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return sharedDefinitions(schema) ?? definitionsOf(schema);
}
