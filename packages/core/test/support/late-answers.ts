/** Answers of a store that come when the test says so. */
export class LateAnswers {
  readonly #waiting: (() => void)[] = [];
  isLate = false;

  async after<T>(answer: () => T): Promise<T> {
    const given = answer();
    if (this.isLate) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return given;
  }

  answer(): void {
    this.isLate = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
