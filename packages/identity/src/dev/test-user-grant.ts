import type { KoaContextWithOIDC, Provider, errors as Errors } from 'oidc-provider';
import { isServed, resourceServer, TEST_USER_GRANT } from './provider-settings.js';
import type { TestUser } from './test-users.js';

/**
 * Adds a grant that gives a program on this machine a token of a test user at once: `toolwright call --as ann`. Browsers
 * cannot use it for a page: the answer has no CORS header.
 */
export function addTestUserGrant(
  provider: Provider,
  { InvalidRequest, InvalidTarget }: typeof Errors,
  { users, resource: only }: { users: readonly TestUser[]; resource: string | undefined },
): void {
  const grantToken = async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { params = {}, client } = ctx.oidc;
    const user = users.find(({ subject }) => subject === params['user']);
    if (!user) {
      const names = users.map(({ subject }) => subject).join(', ');
      throw new InvalidRequest(
        `There is no test user ${JSON.stringify(params['user'])}. There are: ${names}`,
      );
    }
    const resource = params['resource'] ?? only;
    if (typeof resource !== 'string') throw new InvalidTarget('Name one resource that the token is for');
    if (!isServed(resource, only))
      throw new InvalidTarget(`This issuer gives tokens for ${only ?? 'this machine only'}`);
    const asked = typeof params['scope'] === 'string' ? params['scope'].split(' ') : user.scopes;
    const scope = user.scopes.filter((each) => asked.includes(each)).join(' ');
    const grant = new provider.Grant({ accountId: user.subject, clientId: client!.clientId });
    if (scope !== '') grant.addResourceScope(resource, scope);
    const token = new provider.AccessToken({
      accountId: user.subject,
      client: client!,
      grantId: await grant.save(),
      gty: 'test_user',
      ...(scope !== '' && { scope }),
    } as never);
    Object.assign(token, {
      resourceServer: Object.assign(resourceServer(resource, user.scopes), { identifier: () => resource }),
    });
    const value = await token.save();
    ctx.body = { access_token: value, expires_in: token.expiration, token_type: 'Bearer', scope };
  };
  provider.registerGrantType(TEST_USER_GRANT, grantToken as never, ['user', 'scope', 'resource']);
}
