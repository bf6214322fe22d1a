import { ToolError } from '@toolwright/core';
import { cutText, showHiddenInLine } from '@toolwright/json';

/**
 * Makes an error whose text the model reads. It says what is wrong with the argument, and what would be
 * right.
 */
export function refusal(code: SafeErrorCode, message: string, cause?: unknown): ToolError {
  return new ToolError(message, { code, ...(cause === undefined ? {} : { cause }) });
}

const LONGEST = 120;

/**
 * Puts foreign text in quotes. It shortens the text, and escapes characters that would be invisible or shown
 * as something else.
 */
export function quote(text: string): string {
  return `"${showHiddenInLine(cutText(text, LONGEST, '…'))}"`;
}

/** Every error code of this package, with its meaning. docs/errors.md lists the same codes. */
export const safeErrorCatalogue = {
  TW_SAFE_PATH: 'A path leads out of its folder, or is not a path.',
  TW_SAFE_FILE: 'A file or folder cannot be opened or changed, or exists already.',
  TW_SAFE_URL: 'A URL is malformed, or of a kind, host or port that is not allowed.',
  TW_SAFE_ADDRESS: 'A host is not on the public internet.',
  TW_SAFE_FETCH: 'A request failed on its way.',
  TW_SAFE_TOO_LARGE: 'A response, an output or a folder is larger than its limit.',
  TW_SAFE_TIMEOUT: 'A request or a command took longer than its limit.',
  TW_SAFE_COMMAND: 'A command or one of its arguments is not allowed, or it cannot be started.',
} as const;

export type SafeErrorCode = keyof typeof safeErrorCatalogue;
