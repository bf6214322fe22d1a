import type { Problem } from '../validation/problem.js';

/** A value that fits the schema, and of which the value that its type says cannot be made. */
export class UnrevivableError extends Error {
  override readonly name = 'UnrevivableError';

  constructor(
    readonly problems: readonly Problem[],
    options?: ErrorOptions,
  ) {
    super(problems.map(({ pointer, expected }) => `${pointer}: expected ${expected}`).join('\n'), options);
  }
}
