import type { LogLevel } from '../../base/request-context.js';
import type { Logger } from '../../ports/logger.js';

const levels = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
} as const satisfies Record<LogLevel, keyof Logger>;

/** What a scheduled method logs goes to the log of the server, because there is no client. */
export function logScheduled(logger: Logger, schedule: string, params: Record<string, unknown>): void {
  const { level, data } = params as { level: LogLevel; data: unknown };
  if (typeof data === 'string') logger[levels[level]]({ schedule }, data);
  else logger[levels[level]]({ schedule, data }, 'A scheduled method has logged this');
}
