import { readablePath } from '../validation/describe-problems.js';
import type { Problem } from '../validation/problem.js';

/**
 * A result that does not match its output schema. The message contains paths and expectations only, because
 * values do not belong in logs.
 */
export class InvalidOutputError extends Error {
  override readonly name = 'InvalidOutputError';

  constructor(problems: readonly Problem[]) {
    const places = problems.slice(0, 10).map(({ pointer, expected }) => {
      return `${pointer ? readablePath(pointer) : 'the result'}: expected ${expected}`;
    });
    super(`The result does not fit its output schema: ${places.join('; ') || 'there is none'}`);
  }
}
