import { wellFormedJson } from '@toolwright/json';
import { inspect } from 'node:util';
import { writeOut } from '../base/process-streams.js';

/** Writes one log message for operators. */
export type LogFunction = (fields: Record<string, unknown>, message: string) => void;

/**
 * Receives the framework's log messages. Loggers of pino, winston, bunyan, log4js, consola and loglevel fit, and `console`
 * does. See docs/telemetry.md.
 */
export interface Logger {
  debug: LogFunction;
  info: LogFunction;
  warn: LogFunction;
  error: LogFunction;
}

/**
 * Logs warnings and errors to standard error, one JSON object per line. A line that cannot be written is lost, and counted
 * by the metric `toolwright.server.log.lost`. It does not use standard output,
 * which belongs to the stdio transport. JSON escapes every control character, so logged text cannot forge a
 * line.
 */
export function stderrLogger(
  write: (line: string) => void = (line) => void writeOut(process.stderr, line),
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
    return wellFormedJson(JSON.stringify(line, describeErrors));
  } catch {
    return undefined;
  }
}

/** Errors have no enumerable properties, so JSON would show `{}`. */
function describeErrors(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Error ? describeError(value) : value;
}

/** What is worth logging of an error. */
export function describeError({ name, message, stack, cause }: Error): object {
  return { name, message, stack, ...(cause !== undefined && { cause }) };
}

/**
 * The property of `globalThis` that holds the logger of servers without one of their own. A module that is loaded
 * before the application sets it: `toolwright dev` sets a logger that people can read.
 */
const DEFAULT_LOGGER = Symbol.for('toolwright.defaultLogger');

/** The logger that such a module has set, if there is one. */
export function ambientLogger(): Logger | undefined {
  return (globalThis as { [DEFAULT_LOGGER]?: Logger })[DEFAULT_LOGGER];
}

/** The same logger. Every line has these fields, too. */
export function loggerWithFields(logger: Logger, fields: Record<string, unknown>): Logger {
  const at =
    (level: keyof Logger): LogFunction =>
    (own, message) =>
      logger[level]({ ...fields, ...own }, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
