import type { Reached } from './table.js';
import type { Answer } from './wire.js';

/** Every result of the author has it. */
export const MARK = 'the-mark';
/** The name of the operation, whatever its kind is. */
export const NAME = 'subject';
/** The argument that must not be repeated. */
export const SECRET = 'canary-7261';

/** What a caller learns of an answer. */
export function reached({ result, error }: Answer, sign: string = MARK): Reached {
  const text = JSON.stringify(result ?? error);
  return { isReached: result !== undefined && result['isError'] !== true && text.includes(sign), text };
}
