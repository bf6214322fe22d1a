import {
  countLostLine,
  DEFAULT_LOGGER,
  isPromise,
  showHiddenInJson,
  wellFormedJson,
  writeOut,
} from '@toolwright/json';
import { inspect } from 'node:util';
import type { OptionRule } from '../base/options/option-schema.js';
import { objectWith } from '../base/options/rules.js';

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
 * which belongs to the stdio transport. Everything that hides is escaped, so logged text can neither
 * forge a line nor control the terminal of who reads it.
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
  return { ...silentLogger, warn: at('warn'), error: at('error') };
}

/** Drops each line: for servers that nobody operates, and for what looks at one and goes. */
export const silentLogger: Logger = Object.freeze(everyLevel(() => () => undefined));

/**
 * Returns `undefined` for a value that JSON cannot hold, such as an error that is its own cause. Logging must
 * not make the call fail.
 */
function asJson(line: object): string | undefined {
  try {
    return showHiddenInJson(wellFormedJson(JSON.stringify(line, describeErrors)));
  } catch {
    return undefined;
  }
}

/** Errors have no enumerable properties, so JSON would show `{}`. */
function describeErrors(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Error ? describeError(value) : value;
}

/** The fields of a line as one text, for a logger that takes nothing but texts. */
export const textOfFields = (fields: Record<string, unknown>): string => asJson(fields) ?? inspect(fields);

/** What is worth logging of an error. */
export function describeError({ name, message, stack, cause }: Error): object {
  return { name, message, stack, ...(cause !== undefined && { cause }) };
}

/** The logger that such a module has set, if there is one. */
export function ambientLogger(): Logger | undefined {
  return (globalThis as { [DEFAULT_LOGGER]?: Logger })[DEFAULT_LOGGER];
}

/** The same logger. Every line has these fields, too. */
export function loggerWithFields(logger: Logger, fields: Record<string, unknown>): Logger {
  return everyLevel((level) => (own, message) => logger[level]({ ...fields, ...own }, message));
}

type Level = keyof Logger;
type Members = Record<string, unknown>;

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

const complete = objectWith('a logger with debug, info, warn and error', ...LEVELS);

/**
 * The rule of every option that takes a logger. Most take the fields first and the text second, as pino does. winston,
 * `console` and what is like it take the text first, and winston loses a text that comes second. They are recognised by
 * what only they have, and get each line in the order that they read.
 */
export const loggerRule = {
  expected: complete.expected,
  accepts: (value: unknown): value is object =>
    complete.accepts(value) || (isWinston(value) && LEVELS.every((level) => winstonLevel(value, level))),
  read: (value: unknown): unknown => readLogger(value as Logger),
} satisfies OptionRule;

/** A logger that writes to this one in its own way, and never fails. */
export function readLogger(logger: Logger): Logger {
  if (isWinston(logger)) return unfailing(winstonLogger(logger));
  if (takesTextFirst(logger)) return unfailing(textFirst(logger));
  if (!isBunyan(logger)) return unfailing(logger);
  return unfailing(everyLevel((level) => (fields, text) => logger[level](plainErrors(fields), text)));
}

/**
 * A line that a logger does not take is lost and counted: it throws, or it is asynchronous and rejects. Nobody could handle
 * that. An unhandled rejection would be logged, which rejects again, for ever; and an error would end the process.
 */
function unfailing(logger: Logger): Logger {
  return everyLevel((level) => (fields, message) => {
    try {
      const written: unknown = logger[level](fields, message);
      if (isPromise(written)) written.then(undefined, countLostLine);
    } catch {
      countLostLine();
    }
  });
}

interface Winston {
  readonly log: (line: Members) => void;
  readonly levels?: Record<string, number>;
}

/** A logger of winston, or the module itself, which is one, too. */
function isWinston(value: unknown): value is Winston {
  const { log, exceptions, rejections } = Object(value) as Members;
  return (
    typeof log === 'function' &&
    [exceptions, rejections].every((each) => typeof each === 'object' && each !== null)
  );
}

/** What winston's users call the four levels. Its syslog levels have `warning`; a set of one's own may lack `debug`. */
const WINSTON_LEVELS: Record<Level, readonly string[]> = {
  debug: ['debug', 'verbose', 'trace', 'silly', 'info', 'notice'],
  info: ['info', 'notice'],
  warn: ['warn', 'warning'],
  error: ['error', 'err', 'crit', 'fatal'],
};

/** The module does not show its levels, which are those of npm: the first of each list. */
function winstonLevel({ levels }: Winston, level: Level): string | undefined {
  const names = WINSTON_LEVELS[level];
  return levels ? names.find((name) => Object.hasOwn(levels, name)) : names[0];
}

function winstonLogger(logger: Winston): Logger {
  return everyLevel((level) => {
    const name = winstonLevel(logger, level)!;
    return (fields, message) => logger.log({ ...plainErrors(fields), level: name, message });
  });
}

/** `console` and the loggers that print each argument in turn: people look for the text at the front. */
function takesTextFirst(logger: object): boolean {
  const { countReset, addContext, wrapConsole, methodFactory } = logger as Members;
  // Of `console` and others made by node:console, of log4js, of consola, and of loglevel.
  return [countReset, addContext, wrapConsole, methodFactory].some((member) => typeof member === 'function');
}

function textFirst(logger: Logger): Logger {
  const target = logger as unknown as Record<Level, (...parts: unknown[]) => void>;
  return everyLevel(
    (level) => (fields, message) =>
      target[level](message, ...(Object.keys(fields).length === 0 ? [] : [fields])),
  );
}

/** bunyan writes an error as `{}`, unless the application has given it a serialiser for `err`. */
function isBunyan(logger: object): boolean {
  const { addSerializers, streams, serializers } = logger as Members;
  return (
    typeof addSerializers === 'function' &&
    Array.isArray(streams) &&
    !Object.hasOwn(Object(serializers) as object, 'err')
  );
}

function plainErrors(fields: Members): Members {
  const entries = Object.entries(fields).map(([name, value]): [string, unknown] => [name, plainError(value)]);
  return Object.fromEntries(entries);
}

/** JSON shows more causes of causes to nobody who reads a log. One may be its own cause. */
const MOST_CAUSES = 8;

/** An error whose parts JSON shows. It is still an error to a format of the application, such as winston's `printf`. */
function plainError(value: unknown, causes = 0): unknown {
  if (!(value instanceof Error)) return value;
  const { cause } = value;
  const parts = {
    ...describeError(value),
    ...(cause !== undefined && {
      cause: causes < MOST_CAUSES ? plainError(cause, causes + 1) : String(cause),
    }),
  };
  return Object.assign(Object.create(Error.prototype) as Error, parts);
}

function everyLevel(write: (level: Level) => LogFunction): Logger {
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
