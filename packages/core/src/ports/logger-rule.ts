import type { OptionRule } from '../base/options/option-schema.js';
import { objectWith } from '../base/options/rules.js';
import { type LogFunction, type Logger, describeError } from './logger.js';

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

/** The same logger, or one that writes to it in its own way. */
export function readLogger(logger: Logger): Logger {
  if (isWinston(logger)) return winstonLogger(logger);
  if (takesTextFirst(logger)) return textFirst(logger);
  if (isBunyan(logger)) return withPlainErrors(logger);
  return logger;
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

function withPlainErrors(logger: Logger): Logger {
  return everyLevel((level) => (fields, message) => logger[level](plainErrors(fields), message));
}

function plainErrors(fields: Members): Members {
  const entries = Object.entries(fields).map(([name, value]): [string, unknown] => [
    name,
    value instanceof Error ? describeError(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function everyLevel(write: (level: Level) => LogFunction): Logger {
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
