import type { LogFunction, Logger } from './logger.js';

/** The same logger. Every line has these fields, too. */
export function loggerWithFields(logger: Logger, fields: Record<string, unknown>): Logger {
  const at =
    (level: keyof Logger): LogFunction =>
    (own, message) =>
      logger[level]({ ...fields, ...own }, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
