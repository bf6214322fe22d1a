import type { Logger } from '@toolwright/core/ports';

/** A logger that keeps its messages, so that a test can read them. */
export function recordingLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const note = (level: string) => (fields: Record<string, unknown>, message: string) => {
    lines.push(`${level}: ${message} ${JSON.stringify(fields)}`);
  };
  return { lines, debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
}
