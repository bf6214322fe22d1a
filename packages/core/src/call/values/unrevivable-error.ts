import type { Problem } from '../validation/problem.js';

/** A value that matches the schema but cannot be converted to its type. */
export class UnrevivableError extends Error {
  override readonly name = 'UnrevivableError';

  constructor(
    readonly problems: readonly Problem[],
    options?: ErrorOptions,
  ) {
    super(problems.map(({ pointer, expected }) => `${pointer}: expected ${expected}`).join('\n'), options);
  }
}
