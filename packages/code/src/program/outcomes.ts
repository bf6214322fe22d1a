import { ProtocolError } from '@toolwright/core';
import type { InnerResult } from '@toolwright/core/extend';
import type { CallError, Outcome } from '../sandbox/messages.js';
import { errorOf, valueOf } from './values.js';

/** A call that was refused before its tool answered. */
export interface FailedCall {
  readonly error: CallError;
}

export const isFailure = (outcome: object): outcome is FailedCall => 'error' in outcome;
export const isResult = (outcome: object): outcome is InnerResult => 'content' in outcome;

/** @throws what does not answer a call */
export function failureOf(error: unknown): FailedCall {
  if (!(error instanceof ProtocolError)) throw error;
  const { message, rpcCode, data } = error;
  const { retryAfterMs } = (data ?? {}) as { retryAfterMs?: unknown };
  return {
    error: { message, code: String(rpcCode), ...(typeof retryAfterMs === 'number' && { retryAfterMs }) },
  };
}

/** What a program hears of a call that has answered. A value of more than `most` bytes is an error, and never cut. */
export function outcomeOf(result: InnerResult, tool: string, most: number): Pick<Outcome, 'value' | 'error'> {
  if (result.isError) return { error: errorOf(result) };
  const value = valueOf(result);
  const bytes = Buffer.byteLength(value);
  if (bytes <= most) return { value };
  const message = `The result of "${tool}" has ${bytes} bytes, and a program may get ${most}. Ask the tool for less.`;
  return { error: { message, code: 'TW_OUTPUT_TOO_LARGE' } };
}
