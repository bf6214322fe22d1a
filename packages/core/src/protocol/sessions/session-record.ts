import type { SessionRecord } from '../../ports/session-records.js';
import { isJsonObject } from '../messages/json-rpc.js';
import { isLogLevel } from '../../base/log.js';

/** What a store has given, if it is a record. Others may write to the same store. */
export function readSessionRecord(value: unknown): SessionRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { logLevel, subscriptions } = value;
  if (!Array.isArray(subscriptions) || !subscriptions.every((uri) => typeof uri === 'string'))
    return undefined;
  if (logLevel === undefined) return { subscriptions };
  return isLogLevel(logLevel) ? { logLevel, subscriptions } : undefined;
}
