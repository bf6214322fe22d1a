import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { KoaContextWithOIDC, Provider, errors as Errors } from 'oidc-provider';
import { issueToken } from './issue-token.js';
import { addOwnGrant } from './own-grant.js';
import { type DevIssuerClient, isServed, TOKEN_EXCHANGE } from './provider-settings.js';
import type { TestUser } from './test-users.js';

interface TokenExchangeParts {
  readonly issuer: string;
  readonly users: readonly TestUser[];
  readonly resource: string | undefined;
  readonly clients: readonly DevIssuerClient[] | undefined;
}

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/**
 * Adds the exchange of tokens (RFC 8693), so that `ctx.tokenFor` works without a real issuer: a client of the configuration gives
 * the token of a test user, and gets one for another resource on this machine.
 */
export function addTokenExchange(
  provider: Provider,
  errors: typeof Errors,
  { issuer, users, resource: only, clients = [] }: TokenExchangeParts,
): void {
  const { InvalidGrant, InvalidRequest, InvalidTarget } = errors;
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
    const { params = {} } = ctx.oidc;
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
  addOwnGrant(provider, errors, {
    type: TOKEN_EXCHANGE,
    clients: clients.map(({ client_id: id }) => id),
    parameters: [
      'subject_token',
      'subject_token_type',
      'requested_token_type',
      'resource',
      'audience',
      'scope',
    ],
    answer: exchange,
  });
}
