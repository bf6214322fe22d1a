import { hash } from 'node:crypto';
import { canonicalJson } from '@toolwright/manifest';

/** SHA-256 (base64url) of a JSON value, the same whatever the order of its keys. */
export function digest(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'base64url');
}
