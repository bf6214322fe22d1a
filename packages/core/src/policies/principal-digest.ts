import { lazily, oncePer } from '@toolwright/json';
import { hash, randomUUID } from 'node:crypto';
import type { Principal } from '../base/request-context.js';

/**
 * The SHA-256 (base64url) of everything that a method can see of a principal, extra fields and claims included. None
 * of their text is kept. Two principals have the same digest only if no method could see a difference. The order of
 * scopes does not matter.
 */
export function principalDigest(principal: Principal | undefined): string {
  if (!principal) return 'anonymous';
  const scopes = [...(principal.scopes ?? [])].sort();
  return hash('sha256', JSON.stringify([canonical(principal), canonical(scopes)]), 'base64url');
}

/**
 * An object whose inside cannot be seen from outside is equal only to itself, and to nothing in another process.
 * The id of the process is drawn at first need: workerd forbids randomness while modules are loaded.
 */
const thisProcess = lazily(() => randomUUID());
let lastIdentity = 0;
const identityOf = oncePer((_: object) => ++lastIdentity);

/** A form in JSON, with the type beside each value. It keeps `1` and `'1'`, or a date and its text, apart. */
function canonical(value: unknown, around: readonly object[] = []): unknown {
  if (typeof value === 'bigint') return ['bigint', String(value)];
  if (typeof value === 'number') return ['number', Object.is(value, -0) ? '-0' : String(value)];
  if (typeof value === 'symbol' || value === undefined) return [typeof value, String(value)];
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // An object that contains itself has no end, so it is compared by identity.
  if (typeof value === 'function' || around.includes(value))
    return ['object', thisProcess(), identityOf(value)];
  const inside = [...around, value];
  if (Array.isArray(value)) return ['array', value.map((item) => canonical(item, inside))];
  if (value instanceof Date) return ['date', value.getTime()];
  if (value instanceof Map || value instanceof Set)
    return [value.constructor.name, [...value].map((item) => canonical(item, inside))];
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return ['object', thisProcess(), identityOf(value)];
  const members = Object.entries(value).filter(([name]) => around.length > 0 || name !== 'scopes');
  return [
    'members',
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, canonical(each, inside)]),
  ];
}
