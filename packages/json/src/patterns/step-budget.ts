import { costOfPattern, type CostProblem, type PatternCost } from './cost-of-pattern.js';
import { SCHEMA_FLAGS } from './parse-pattern.js';

/** The part of a regular expression that validation needs. */
export interface Matcher {
  test(text: string): boolean;
}

/** About 20 ms: enough for 3,000 characters with `\s+$`, and for a whole body with `^[a-z]+$`. */
const MAX_STEPS = 5_000_000;

/** Fewer ways than this are not counted. */
const FEW_WAYS = 64;

/** What a budget belongs to. It is full again for each check with a new number. */
export interface CheckNumber {
  readonly number: number;
}

const ONLY_CHECK: CheckNumber = { number: 0 };

/**
 * The cost of all matches in one check of a caller's values. Patterns with linear time are free. With `\s+$`,
 * 100 kB of spaces would block the process for seconds. If the budget is not sufficient, the text does not
 * match.
 */
export class StepBudget {
  #left = MAX_STEPS;
  /** The last check that used the budget. */
  #check = 0;

  /**
   * @param verdict whether a text matches if the budget is not sufficient
   * @param current the check that uses the budget; default: always the same one
   */
  constructor(
    private readonly verdict = false,
    private readonly current: CheckNumber = ONLY_CHECK,
  ) {}

  /** Whether something did not match in this check because it would have taken too long. */
  get isExhausted(): boolean {
    return this.#check === this.current.number && this.#left < 0;
  }

  /** @param pattern a regular expression with the u flag */
  matcher(pattern: string): Matcher {
    return this.bound(new RegExp(pattern, SCHEMA_FLAGS), costOfPattern(pattern));
  }

  /** @param cost of the regular expression; if it is too expensive, it is never matched */
  bound(regExp: RegExp, cost: PatternCost | CostProblem): Matcher {
    if (isFree(cost)) return regExp;
    return { test: (text) => (this.allows(cost, text) ? regExp.test(text) : this.verdict) };
  }

  /**
   * Takes the cost of matching a text from the budget.
   *
   * @returns false if the budget is not sufficient
   */
  allows(cost: PatternCost | CostProblem, text: string): boolean {
    if (this.#check !== this.current.number) {
      this.#check = this.current.number;
      this.#left = MAX_STEPS;
    }
    this.#left -= typeof cost === 'string' ? Infinity : steps(text.length, cost);
    return this.#left >= 0;
  }
}

/** Whether the time is linear. */
export function isFree(cost: PatternCost | CostProblem): boolean {
  return typeof cost === 'object' && cost.growth <= 1 && cost.ways <= FEW_WAYS;
}

/** In how many ways `growth` places can be chosen in a text. */
function steps(length: number, { growth, ways }: PatternCost): number {
  let total = ways;
  for (let place = 1; place <= growth; place++) total *= length / place;
  return total;
}
