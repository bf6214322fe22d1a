import { CommandError } from './command-error.js';

/** Errors that carry a code of ours speak for themselves; from others a report needs the stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  if (error instanceof CommandError) return error.message;
  return typeof code === 'string' && code.startsWith('TW_')
    ? `${code}: ${error.message}`
    : (error.stack ?? error.message);
}
