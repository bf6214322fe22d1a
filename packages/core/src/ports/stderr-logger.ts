import { inspect } from 'node:util';
import type { Logger, LogFunction } from './logger.js';

/**
 * Logs warnings and errors to standard error, one JSON object per line. It does not use standard output,
 * which belongs to the stdio transport. JSON escapes every control character, so logged text cannot forge a
 * line.
 */
export function stderrLogger(
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  const at =
    (level: string): LogFunction =>
    (fields, message) => {
      const head = { level, time: new Date().toISOString() };
      write(
        `${asJson({ ...head, ...fields, message }) ?? asJson({ ...head, fields: inspect(fields), message })}\n`,
      );
    };
  const silent: LogFunction = () => undefined;
  return { debug: silent, info: silent, warn: at('warn'), error: at('error') };
}

/**
 * Returns `undefined` for a value that JSON cannot hold, such as an error that is its own cause. Logging must
 * not make the call fail.
 */
function asJson(line: object): string | undefined {
  try {
    return JSON.stringify(line, describeErrors);
  } catch {
    return undefined;
  }
}

/** Errors have no enumerable properties, so JSON would show `{}`. */
function describeErrors(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, ...(cause !== undefined && { cause }) };
}
