import type { JsonSchema } from '../schema/json-schema.js';
import { type CheckNumber, type Matcher, StepBudget } from '../patterns/step-budget.js';

/** A check was ended early. */
export class TooManyStepsError extends Error {}

/** About 100 ms. A body of 1 MiB has at most 350,000 values. */
const MAX_VISITS = 400_000;
/** Each of them may cause an error. */
const MAX_EXPLAINED = 2_000;

/**
 * How often the check of a caller's value may follow a `$ref`. If alternatives refer to each other (a filter of filters,
 * an expression of expressions), each level of nesting can double the work. With 60 levels of a few bytes each, a check
 * would never end.
 */
class VisitBudget {
  #left = 0;
  /** The last check that used the budget. */
  #check = 0;

  /** @param current the check that uses the budget */
  constructor(private readonly current: CheckNumber & { readonly explain: boolean }) {}

  /** @throws {TooManyStepsError} */
  take(): void {
    const { number, explain } = this.current;
    if (this.#check !== number) {
      this.#check = number;
      this.#left = explain ? MAX_EXPLAINED : MAX_VISITS;
    }
    if (--this.#left < 0) throw new TooManyStepsError();
  }
}

/**
 * Who made the values. If a pattern would take too long on a caller's text, the text does not match. If it
 * would take too long on a method's text, the text counts as matching: the method may repeat what a caller
 * wrote, but the validity of its result must not depend on the length.
 */
export type ValueSource = 'caller' | 'method';

/**
 * The current check. Each new check increases the number. The budgets below are refilled when a check first
 * uses them, because most checks use none.
 */
export const currentCheck = {
  number: 0,
  explain: false,
  /** The schemas that parts of the value were checked against. */
  steps: 0,
  /** At this number of steps, the check is looked at. */
  look: 0,
  remembers: false,
  value: undefined as unknown,
  /** Whether its value or its schema is of a stranger. */
  isStrangers: false,
  /** Whether all checks that begin now are parts of this one. */
  isWhole: false,
};

/** About 5 ms. Nearly all checks end before. */
export const MANY_STEPS = 50_000;
/** For each part of a value. Usual schemas need two. If a check needs more, parts are read again and again. */
const FEW_FOR_PART = { ours: 8, callers: 4, behind: 2 };
/** A check that remembers verdicts may take this many steps, and some more for each part of the value. */
const MOST_STEPS = 1_000_000;
const MOST_FOR_PART = 100;
/**
 * The same for a value of a stranger, about 15 ms in a process that has just begun: who calls us, and who answers us, holds the
 * event loop no longer. A long value is checked to its end if it needs few steps for each part. Of a server behind, only what
 * the writer of results does not check by itself takes steps.
 */
const STRANGERS_STEPS = 60_000;

/**
 * Counts the steps of the current check, whoever made the value and the schema: it may be one of a server behind, and each
 * of its parts may read each part of a value.
 *
 * @returns true if the check has to remember verdicts, which takes time and memory
 * @throws {TooManyStepsError}
 */
export function countSteps(count: number): boolean {
  currentCheck.steps += count;
  if (currentCheck.steps > currentCheck.look) lookAtCheck();
  return currentCheck.remembers;
}

/** Whether the next step ends the current check. */
export function isSpent(): boolean {
  return currentCheck.remembers && currentCheck.steps > currentCheck.look;
}

export function lookAtCheck(): void {
  const { steps, remembers, value, isStrangers, isWhole } = currentCheck;
  if (remembers) throw new TooManyStepsError();
  const few = FEW_FOR_PART[isWhole ? 'behind' : isStrangers ? 'callers' : 'ours'];
  // A value is not measured further than necessary.
  const parts = countParts(value, steps / few);
  currentCheck.remembers = parts * few < steps;
  const most = isStrangers ? STRANGERS_STEPS : MOST_STEPS + MOST_FOR_PART * parts;
  const next = isStrangers ? steps + MANY_STEPS : 2 * steps;
  currentCheck.look = currentCheck.remembers ? most : next;
}

/** How many parts a value has, at any depth. The count ends at `enough`. */
function countParts(value: unknown, enough: number): number {
  const queue = [value];
  let count = 0;
  for (; queue.length > 0 && count < enough; count++) {
    const part = queue.pop();
    if (typeof part !== 'object' || part === null) continue;
    if (Array.isArray(part))
      for (let index = 0; index < part.length && index < enough; index++) queue.push(part[index]);
    else for (const name in part) queue.push((part as Record<string, unknown>)[name]);
  }
  return count;
}

/** The step budget for the patterns of one check. */
export const steps = {
  caller: new StepBudget(false, currentCheck),
  method: new StepBudget(true, currentCheck),
};
/** The budget for the references that one check follows. */
export const visits = new VisitBudget(currentCheck);

/**
 * Whether a text did not match because the budget was used up. Keywords such as `not`, which need the
 * opposite, must then not trust the result.
 */
export function isUndecided(source: ValueSource): boolean {
  return source === 'caller' && steps.caller.isExhausted;
}

const matchers: Record<ValueSource, WeakMap<JsonSchema, Map<string, Matcher>>> = {
  caller: new WeakMap(),
  method: new WeakMap(),
};

/**
 * A matcher for a pattern of a schema, within the budget of the check. It is created once, and kept as long
 * as the schema.
 */
export function matcherOf(schema: JsonSchema, pattern: string, source: ValueSource): Matcher {
  let known = matchers[source].get(schema);
  if (!known) matchers[source].set(schema, (known = new Map()));
  let matcher = known.get(pattern);
  if (!matcher) known.set(pattern, (matcher = steps[source].matcher(pattern)));
  return matcher;
}
