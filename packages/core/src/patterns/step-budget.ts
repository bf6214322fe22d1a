import { growthOfPattern } from './growth-of-pattern.js';

/** Of a regular expression, what validation needs. */
export interface Matcher {
  test(text: string): boolean;
  /** Tells matchers of different patterns apart: Ajv keeps them by it. */
  toString(): string;
}

/** Some 20 ms: 3,000 characters against `\s+$`, and as many as a body holds against `^[a-z]+$`. */
const MAX_STEPS = 5_000_000;

/**
 * What matching may cost in one check of what a caller sent. Patterns that take time in proportion to the text are
 * free; 100 kB of spaces against `\s+$` would block the process for seconds. What the budget does not allow does not
 * match.
 */
export class StepBudget {
  #left = MAX_STEPS;

  /** Something did not match since it was refilled because it would have taken too long. */
  get isExhausted(): boolean {
    return this.#left < 0;
  }

  refill(): void {
    this.#left = MAX_STEPS;
  }

  /** @param pattern a regular expression with the u flag */
  matcher(pattern: string): Matcher {
    return this.bound(new RegExp(pattern, 'u'), growthOfPattern(pattern));
  }

  /** @param growth the exponent by which the time to match grows with the length of a text */
  bound(regExp: RegExp, growth: number): Matcher {
    if (growth <= 1) return regExp;
    return {
      test: (text) => {
        this.#left -= steps(text.length, growth);
        return this.#left >= 0 && regExp.test(text);
      },
      toString: () => String(regExp),
    };
  }
}

/** In how many ways `growth` places can be chosen in a text. */
function steps(length: number, growth: number): number {
  let ways = 1;
  for (let place = 1; place <= growth; place++) ways *= length / place;
  return ways;
}
