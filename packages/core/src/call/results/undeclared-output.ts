import { isContentBlock } from './find-block-problem.js';
import { isLikeToolResult } from './protocol-result.js';

/** A tool that declares no output returned data. */
export class UndeclaredOutputError extends Error {
  override readonly name = 'UndeclaredOutputError';

  constructor() {
    super('The tool returned data and declares no output. Declare the type of its result, or return text.');
  }
}

/** True for data. Text and content are not data and need no declaration. */
export function isData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isContentBlock(value)) return false;
  if (Array.isArray(value)) return !value.some(isContentBlock);
  return !isLikeToolResult(value);
}
