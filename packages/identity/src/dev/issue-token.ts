import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { resourceServer } from './provider-settings.js';
import type { TestUser } from './test-users.js';

/** What a token is for. */
export interface TestUserToken {
  readonly user: TestUser;
  readonly resource: string;
  /** The requested scopes. Scopes that the user does not have are left out. Default: all of the user. */
  readonly asked: unknown;
  /** How it came about, as oidc-provider records it. */
  readonly gty: string;
}

/** Issues an access token of a test user, without a page. Returns the answer of the token endpoint. */
export async function issueToken(
  provider: Provider,
  ctx: KoaContextWithOIDC,
  { user, resource, asked, gty }: TestUserToken,
): Promise<Record<string, unknown>> {
  const client = ctx.oidc.client!;
  const wanted = typeof asked === 'string' ? asked.split(' ') : user.scopes;
  const scope = user.scopes.filter((each) => wanted.includes(each)).join(' ');
  const grant = new provider.Grant({ accountId: user.subject, clientId: client.clientId });
  if (scope !== '') grant.addResourceScope(resource, scope);
  const token = new provider.AccessToken({
    accountId: user.subject,
    client,
    grantId: await grant.save(),
    gty,
    ...(scope !== '' && { scope }),
  } as never);
  Object.assign(token, {
    resourceServer: Object.assign(resourceServer(resource, user.scopes), { identifier: () => resource }),
  });
  const value = await token.save();
  return { access_token: value, expires_in: token.expiration, token_type: 'Bearer', scope };
}
