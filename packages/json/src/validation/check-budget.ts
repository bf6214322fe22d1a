import type { JsonSchema } from '../schema/json-schema.js';
import type Ajv from 'ajv';
import { type CheckNumber, type Matcher, StepBudget } from '../patterns/step-budget.js';

/** A check was ended early. */
export class TooManyVisitsError extends Error {}

/** About 100 ms. A body of 1 MiB has at most 350,000 values. */
const MAX_VISITS = 400_000;
/** Each of them may cause an error. */
const MAX_EXPLAINED = 2_000;

/**
 * How often a check may follow a `$ref`. If alternatives refer to each other (a filter of filters, an
 * expression of expressions), each level of nesting can double the work. With 60 levels of a few bytes each,
 * a check would never end.
 */
class VisitBudget {
  #left = 0;
  /** The last check that used the budget. */
  #check = 0;

  /** @param current the check that uses the budget */
  constructor(private readonly current: CheckNumber & { readonly explain: boolean }) {}

  /** @throws {TooManyVisitsError} */
  take(): void {
    const { number, explain } = this.current;
    if (this.#check !== number) {
      this.#check = number;
      this.#left = explain ? MAX_EXPLAINED : MAX_VISITS;
    }
    if (--this.#left < 0) throw new TooManyVisitsError();
  }

  /** Makes an Ajv instance count references. Its validators then throw `TooManyVisitsError`. */
  limit(ajv: Ajv): void {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- Ajv is loaded at first need
    const { _ } = require('ajv') as typeof import('ajv');
    const visit = () => this.take();
    for (const keyword of ['$ref', '$dynamicRef']) {
      const rule = ajv.RULES.all[keyword];
      if (typeof rule !== 'object' || !('code' in rule.definition)) continue;
      const { definition } = rule;
      const { code } = definition;
      rule.definition = {
        ...definition,
        code(cxt, type) {
          cxt.gen.code(_`${cxt.gen.scopeValue('func', { ref: visit })}()`);
          code.call(definition, cxt, type);
        },
      };
    }
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
export const currentCheck = { number: 0, explain: false };

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
