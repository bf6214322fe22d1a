import { canonicalJson } from '@toolwright/json';
import { HmacKey } from './hmac-key.js';

/**
 * The digest under which a log with this key stores `value` as the arguments of a call. Search for it to
 * learn whether a certain call was ever made.
 *
 * @example
 * digestValue(process.env.AUDIT_KEY!, { pageId: 'p-1' });
 */
export function digestValue(key: string | Uint8Array, value: unknown): string {
  return new HmacKey(key).digest(canonicalJson(value));
}
