import { isContentBlock } from './find-block-problem.js';
import { isLikeToolResult } from './protocol-result.js';

/** Data left a tool that declares no output. */
export class UndeclaredOutputError extends Error {
  override readonly name = 'UndeclaredOutputError';

  constructor() {
    super('The tool returned data and declares no output. Declare the type of its result, or return text.');
  }
}

/** Data, as opposed to text and to content, which need no declaration. */
export function isData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isContentBlock(value)) return false;
  if (Array.isArray(value)) return !value.some(isContentBlock);
  return !isLikeToolResult(value);
}
