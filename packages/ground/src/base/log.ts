import { cutText, showHiddenInLine } from '@toolwright/json';
import type { LogLevel, Principal } from './request-context.js';

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

/** Who a principal is, without what it may do. */
export type KnownPrincipal = Pick<Principal, 'issuer' | 'subject' | 'clientId' | 'tenant'>;

/** The part of a principal that people who watch calls and messages may see. */
export function knownPrincipal(principal: Principal | undefined): KnownPrincipal | undefined {
  if (!principal) return undefined;
  const { issuer, subject, clientId, tenant } = principal;
  return {
    subject,
    ...(issuer !== undefined && { issuer }),
    ...(clientId !== undefined && { clientId }),
    ...(tenant !== undefined && { tenant }),
  };
}

/** The longest text from outside that a record contains. */
const MAX_FOREIGN = 200;

/** Text of a caller in the form for records and logs: short, and without invisible characters. */
export function logSafeText(text: string): string {
  return showHiddenInLine(cutText(text, MAX_FOREIGN, '…'));
}
