/** Writes one log message for operators. */
export type LogFunction = (fields: Record<string, unknown>, message: string) => void;

/** Receives the framework's log messages. A pino logger fits without changes. */
export interface Logger {
  debug: LogFunction;
  info: LogFunction;
  warn: LogFunction;
  error: LogFunction;
}
