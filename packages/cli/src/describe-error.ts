import { CommandError } from './command-error.js';

/** Errors with one of our codes explain themselves. For all others, a report needs the stack trace. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  if (error instanceof CommandError) return error.message;
  return typeof code === 'string' && code.startsWith('TW_')
    ? `${code}: ${error.message}`
    : (error.stack ?? error.message);
}
