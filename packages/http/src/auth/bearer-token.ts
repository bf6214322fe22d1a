/** What an `Authorization` header contains. */
export type BearerToken = { kind: 'none' } | { kind: 'malformed' } | { kind: 'token'; token: string };

/**
 * Reads the token of RFC 6750 section 2.1. Only the header counts. A token in the query string or the body
 * would end up in logs, and the specification forbids it.
 */
export function readBearerToken(header: string | undefined): BearerToken {
  if (header === undefined || !/^bearer(?:\s|$)/i.test(header)) return { kind: 'none' };
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  return token ? { kind: 'token', token } : { kind: 'malformed' };
}
