import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { KoaContextWithOIDC, Provider, errors as Errors } from 'oidc-provider';
import { issueToken } from './issue-token.js';
import { isServed } from './provider-settings.js';
import type { TestUser } from './test-users.js';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/**
 * Adds the exchange of tokens (RFC 8693), so that `ctx.tokenFor` works without a real issuer: a client with a secret that was
 * registered with this grant gives the token of a test user, and gets one for another resource on this machine.
 */
export function addTokenExchange(
  provider: Provider,
  { InvalidGrant, InvalidRequest, InvalidTarget }: typeof Errors,
  {
    issuer,
    users,
    resource: only,
  }: { issuer: string; users: readonly TestUser[]; resource: string | undefined },
): void {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const findUser = async (token: unknown): Promise<TestUser | undefined> => {
    try {
      const { payload } = await jwtVerify(String(token), keys, {
        issuer,
        typ: 'at+jwt',
        ...(only !== undefined && { audience: only }),
      });
      return users.find(({ subject }) => subject === payload.sub);
    } catch {
      return undefined;
    }
  };
  const exchange = async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { params = {}, client } = ctx.oidc;
    // Whoever has got hold of a token must not be able to widen it.
    if (client!.clientAuthMethod === 'none') throw new InvalidRequest('The client needs a secret');
    if (params['subject_token_type'] !== ACCESS_TOKEN)
      throw new InvalidRequest(`The subject_token_type must be ${ACCESS_TOKEN}`);
    const resource = params['resource'] ?? params['audience'];
    if (typeof resource !== 'string' || !isServed(resource, undefined))
      throw new InvalidTarget('Name one resource on this machine that the token is for');
    const user = await findUser(params['subject_token']);
    if (!user) throw new InvalidGrant('The subject_token is no access token of this issuer');
    const answer = await issueToken(provider, ctx, {
      user,
      resource,
      asked: params['scope'],
      gty: 'token_exchange',
    });
    ctx.body = { ...answer, issued_token_type: ACCESS_TOKEN };
  };
  const fields = [
    'subject_token',
    'subject_token_type',
    'requested_token_type',
    'resource',
    'audience',
    'scope',
  ];
  provider.registerGrantType(TOKEN_EXCHANGE, exchange as never, fields);
}
