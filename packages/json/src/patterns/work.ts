/** A pattern would take too long to analyse. */
export class TooLargeError extends Error {}

/** What the automata of one pattern may cost, and the samples of their characters. */
const MOST_STEPS = 40_000;
/** What one search may cost. */
const MOST_SEARCHED = 20_000;

/**
 * What the analysis of one pattern may cost: some 10 ms. A boot must not wait for it, and neither must a server that proxies
 * others: a pattern of a few thousand characters once took nine seconds.
 */
export class AnalysisWork {
  #left = MOST_STEPS;
  #searched = 0;

  /** @throws {TooLargeError} when it is used up */
  take(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooLargeError();
  }

  startSearch(): void {
    this.#searched = 0;
  }

  /** @returns false when the search has to end. Its result is then the one that is safe */
  searches(steps: number): boolean {
    this.#searched += steps;
    return this.#searched <= MOST_SEARCHED;
  }
}
