import { createHash } from 'node:crypto';
import { isJsonObject } from './json-rpc.js';

/** SHA-256 (base64url) of a JSON value, the same whatever the order of its keys. */
export function digest(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64url');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}
