/** One line of operational logging, most urgent last. */
export type LogFunction = (fields: Record<string, unknown>, message: string) => void;

/** Where the framework logs. A pino logger fits as it is. */
export interface Logger {
  debug: LogFunction;
  info: LogFunction;
  warn: LogFunction;
  error: LogFunction;
}
