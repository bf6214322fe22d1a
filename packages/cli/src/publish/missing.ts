import { CommandError } from '@toolwright/operate/terminal';

/** Collects what a publication lacks, so that people read all of it at once, and not one thing per run. */
export class Missing {
  readonly #errors: CommandError[] = [];

  /** The result of a step, or undefined if the step lacks something. */
  check<T>(step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      this.#errors.push(error);
      return undefined;
    }
  }

  /**
   * Ends the command if a step lacked something.
   *
   * @param others what else is wrong; listed only if a step lacked something
   * @throws {CommandError} that lists everything
   */
  report(others: readonly string[] = []): void {
    const [first] = this.#errors;
    if (!first) return;
    const messages = [...new Set([...this.#errors.map(({ message }) => message), ...others])];
    if (messages.length === 1) throw first;
    const lines = messages.map((message) => `- ${message}`);
    throw new CommandError(
      [`${messages.length} things are missing or wrong:`, ...lines].join('\n'),
      first.exitCode,
    );
  }
}
