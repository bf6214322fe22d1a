import { costOfPattern, type CostFault, type PatternCost } from './cost-of-pattern.js';
import { SCHEMA_FLAGS } from './parse-pattern.js';

/** Of a regular expression, what validation needs. */
export interface Matcher {
  test(text: string): boolean;
  /** Tells matchers of different patterns apart: Ajv keeps them by it. */
  toString(): string;
}

/** Some 20 ms: 3,000 characters against `\s+$`, and as many as a body holds against `^[a-z]+$`. */
const MAX_STEPS = 5_000_000;

/** Fewer ways than these are not worth counting. */
const FEW_WAYS = 64;

/** What a budget is for. It is full again for each check that has a number of its own. */
export interface CheckNumber {
  readonly number: number;
}

const ONLY_CHECK: CheckNumber = { number: 0 };

/**
 * What matching may cost in one check of what a caller sent. Patterns that take time in proportion to the text are
 * free; 100 kB of spaces against `\s+$` would block the process for seconds. What the budget does not allow does not
 * match.
 */
export class StepBudget {
  #left = MAX_STEPS;
  /** The check that took from it last. */
  #check = 0;

  /**
   * @param verdict on a text that the budget does not cover: whether it counts as one that matches
   * @param current the check that takes from it; default: the same one for ever
   */
  constructor(
    private readonly verdict = false,
    private readonly current: CheckNumber = ONLY_CHECK,
  ) {}

  /** Something did not match in this check because it would have taken too long. */
  get isExhausted(): boolean {
    return this.#check === this.current.number && this.#left < 0;
  }

  /** @param pattern a regular expression with the u flag */
  matcher(pattern: string): Matcher {
    return this.bound(new RegExp(pattern, SCHEMA_FLAGS), costOfPattern(pattern));
  }

  /** @param cost of the regular expression; one that nobody can pay is never matched */
  bound(regExp: RegExp, cost: PatternCost | CostFault): Matcher {
    if (isFree(cost)) return regExp;
    return {
      test: (text) => (this.allows(cost, text) ? regExp.test(text) : this.verdict),
      toString: () => String(regExp),
    };
  }

  /** Takes what it costs to match a text. @returns false where the budget does not allow it */
  allows(cost: PatternCost | CostFault, text: string): boolean {
    if (this.#check !== this.current.number) {
      this.#check = this.current.number;
      this.#left = MAX_STEPS;
    }
    this.#left -= typeof cost === 'string' ? Infinity : steps(text.length, cost);
    return this.#left >= 0;
  }
}

/** Whether it takes time in proportion to the text. */
export function isFree(cost: PatternCost | CostFault): boolean {
  return typeof cost === 'object' && cost.growth <= 1 && cost.ways <= FEW_WAYS;
}

/** In how many ways `growth` places can be chosen in a text. */
function steps(length: number, { growth, ways }: PatternCost): number {
  let total = ways;
  for (let place = 1; place <= growth; place++) total *= length / place;
  return total;
}
