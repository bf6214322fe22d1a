import { ProtocolError, type ToolResult } from '@toolwright/core';
import type { CallError, Outcome } from '../sandbox/messages.js';
import { writeJson } from '@toolwright/core/transport';

/** A call that was refused before its tool answered. */
export interface FailedCall {
  readonly error: CallError;
}

export const isFailure = (outcome: object): outcome is FailedCall => 'error' in outcome;
export const isResult = (outcome: object): outcome is ToolResult => 'content' in outcome;

/**
 * @param code why the call has failed, for the program
 * @throws what does not answer a call
 */
export function failureOf(error: unknown, code?: string): FailedCall {
  if (!(error instanceof ProtocolError)) throw error;
  const { message, data } = error;
  const { retryAfterMs } = (data ?? {}) as { retryAfterMs?: unknown };
  return {
    error: {
      message,
      ...(code !== undefined && { code }),
      ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
    },
  };
}

/** A result, and what is known of its call. */
interface Answered {
  readonly tool: string;
  /** The most bytes of a value. A longer one is an error, and never cut. */
  readonly most: number;
  /** Why the call has failed. */
  readonly code?: string | undefined;
}

/** What a program hears of a call that has answered. */
export function outcomeOf(
  result: ToolResult,
  { tool, most, code }: Answered,
): Pick<Outcome, 'value' | 'error'> {
  if (result.isError) return { error: errorOf(result, code) };
  const value = valueOf(result);
  const bytes = Buffer.byteLength(value);
  if (bytes <= most) return { value };
  const message = `The result of "${tool}" has ${bytes} bytes, and a program may get ${most}. Ask the tool for less.`;
  return { error: { message, code: 'TW_OUTPUT_TOO_LARGE' } };
}

/**
 * What a program gets from a tool, as JSON: the structured result where there is one; else the text, if there is exactly one;
 * else the list of contents.
 */
function valueOf({ structuredContent, content }: ToolResult): string {
  if (structuredContent !== undefined) return writeJson(structuredContent);
  const [first, ...others] = content;
  return writeJson(first?.type === 'text' && others.length === 0 ? first.text : content);
}

/** What a program gets as the error of a tool that failed. */
function errorOf({ content, _meta }: ToolResult, code: string | undefined): CallError {
  const message = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const { retryAfterMs } = (_meta ?? {}) as { retryAfterMs?: unknown };
  return {
    message,
    ...(code !== undefined && { code }),
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
  };
}
