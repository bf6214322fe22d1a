import type Ajv from 'ajv';
import type { CheckNumber } from '../../base/patterns/step-budget.js';

/** A check was given up. */
export class TooManyVisitsError extends Error {}

/** Some 50 ms; more than the recursive parts of any body of 1 MiB that means something. */
const MAX_VISITS = 200_000;
/** Each may leave an error behind. */
const MAX_EXPLAINED = 2_000;

/**
 * How often a check may follow a `$ref`. Where alternatives refer to each other (a filter of filters, an expression of
 * expressions), each level of nesting can double the work: 60 levels of a few bytes each would never end.
 */
export class VisitBudget {
  #left = 0;
  /** The check that took from it last. */
  #check = 0;

  /** @param current the check that takes from it */
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

  /** Makes an instance count: its validators throw `TooManyVisitsError`. */
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
