import { hash } from 'node:crypto';
import { canonicalJson } from '@toolwright/manifest';

/** SHA-256 (base64url) of a JSON value. The order of its keys does not matter. */
export function digest(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'base64url');
}
