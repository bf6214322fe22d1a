import type Ajv from 'ajv';
import type { CheckNumber } from '../../base/patterns/step-budget.js';

/** A check was ended early. */
export class TooManyVisitsError extends Error {}

/** About 50 ms. The recursive parts of a reasonable body of 1 MiB need less. */
const MAX_VISITS = 200_000;
/** Each of them may cause an error. */
const MAX_EXPLAINED = 2_000;

/**
 * How often a check may follow a `$ref`. If alternatives refer to each other (a filter of filters, an
 * expression of expressions), each level of nesting can double the work. With 60 levels of a few bytes each,
 * a check would never end.
 */
export class VisitBudget {
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
