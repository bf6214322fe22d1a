import type { LogLevel } from './request-context.js';

/** RFC 5424 severities, least urgent first. */
export const logLevels: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

export function isLogLevel(value: unknown): value is LogLevel {
  return logLevels.includes(value as LogLevel);
}

/** True when a message of `level` should reach someone who asked for `threshold` and above. */
export function reaches(level: LogLevel, threshold: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(threshold);
}
