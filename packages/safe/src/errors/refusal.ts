import { ToolError } from '@toolwright/core';
import type { SafeErrorCode } from './catalogue.js';

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
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  const visible = cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    return `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
  return `"${visible}"`;
}
