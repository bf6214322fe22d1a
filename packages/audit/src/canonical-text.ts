import { canonicalJson, isWellFormed, quoted } from '@toolwright/json';
import { hash } from 'node:crypto';

/**
 * How the text is written that a digest is computed of. 1: as canonical JSON. 2: the same, but each string value
 * of more than 1,024 characters is written as `#` and the SHA-256 of its UTF-8 in hex.
 */
export type DigestForm = 1 | 2;

export interface CanonicalText {
  readonly text: string;
  /** True if the text has the digest of a string. Otherwise both forms are the same text. */
  readonly isDigested: boolean;
}

/** Characters (UTF-16 units). Below this, a digest costs as much as writing the string. */
const LONG = 1024;

/** Set while a text is written, which is synchronous. */
let isDigested = false;

/**
 * The text of form 2. Writing a string of 100 KB as JSON takes twice as long as hashing it. No JSON text contains `#`
 * outside of a string, so no two values have the same text.
 *
 * @throws what `canonicalJson` throws
 */
export function canonicalText(value: unknown): CanonicalText {
  isDigested = false;
  const text = canonicalJson(value, quoteOrDigest);
  return { text, isDigested };
}

function quoteOrDigest(text: string): string {
  // UTF-8 cannot carry half a surrogate pair, and its replacement would be equal to another text.
  if (text.length <= LONG || !isWellFormed(text)) return quoted(text);
  isDigested = true;
  return `#${hash('sha256', text, 'hex')}`;
}
