import { hasDoubledNames } from '@toolwright/json';

/** A JWT in its compact form (RFC 7515, section 3.1), in base64url without padding. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * True if everybody reads the same in a JWT: decoders forgive padding, and parsers take the first or the last of two members
 * of one name (RFC 7519, section 4). Ask after its signature was verified, so that strangers cannot make this work.
 */
export function isStrictJwt(token: string): boolean {
  if (!COMPACT.test(token)) return false;
  return token.split('.', 2).every((part) => !hasDoubledNames(Buffer.from(part, 'base64url').toString()));
}
