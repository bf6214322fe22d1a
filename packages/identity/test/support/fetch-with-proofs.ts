import { generateKeyPair, generateProof } from 'dpop';

/**
 * A `fetch` that signs each request with a key of the client (DPoP, RFC 9449), for clients that cannot do so themselves. The
 * issuer then binds tokens to the key, and requests with a token show it as a bound one. docs/authorization.md has the same.
 */
export async function fetchWithProofs(send: typeof fetch = fetch): Promise<typeof fetch> {
  const key = await generateKeyPair('ES256');
  /** The last nonce of each server. */
  const nonces = new Map<string, string>();
  return async (input, init = {}) => {
    const { href, origin, pathname } = new URL(input as string | URL);
    const attempt = async () => {
      const headers = new Headers(init.headers);
      const token = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1];
      const method = init.method ?? 'GET';
      headers.set(
        'dpop',
        await generateProof(key, `${origin}${pathname}`, method, nonces.get(origin), token),
      );
      if (token !== undefined) headers.set('authorization', `DPoP ${token}`);
      const answer = await send(href, { ...init, headers });
      const nonce = answer.headers.get('dpop-nonce');
      if (nonce !== null) nonces.set(origin, nonce);
      return { answer, isRenewed: nonce !== null };
    };
    const { answer, isRenewed } = await attempt();
    const isAsked = isRenewed && (answer.status === 400 || answer.status === 401);
    return isAsked ? (await attempt()).answer : answer;
  };
}
