import type { Logger } from '@toolwright/core';

/** Keeps what was logged, for a test to look at. */
export function recordingLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const note = (level: string) => (fields: Record<string, unknown>, message: string) => {
    lines.push(`${level}: ${message} ${JSON.stringify(fields)}`);
  };
  return { lines, debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
}
