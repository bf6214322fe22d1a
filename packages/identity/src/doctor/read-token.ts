/** What a token says. Nothing here is verified: it explains what a server has refused. */
export interface ReadToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** `undefined` for a token that is not a JWT. */
export function readToken(token: string): ReadToken | undefined {
  const [header, claims, signature] = token.split('.');
  if (signature === undefined) return undefined;
  try {
    return { header: partOf(header!), claims: partOf(claims!) };
  } catch {
    return undefined;
  }
}

function partOf(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  if (typeof value !== 'object' || value === null) throw new TypeError('no object');
  return value as Readonly<Record<string, unknown>>;
}
