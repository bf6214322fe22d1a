const ENCODED = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const PLAIN = /^[\t\x20-\x7e]*$/;
// A byte order mark is part of the value. Without it, two different values could become equal.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The value that a mirrored header stands for: base64 of UTF-8 between the exact markers, or else the header
 * itself. Returns `undefined` when it contains characters that a header may not have, or when the base64 or
 * the UTF-8 is broken (2026-07-28 Value Encoding).
 */
export function decodeHeaderValue(raw: string): string | undefined {
  if (!PLAIN.test(raw)) return undefined;
  const value = raw.trim();
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value;
  if (!BASE64.test(encoded)) return undefined;
  try {
    return utf8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}
