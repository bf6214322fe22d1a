import type { KoaContextWithOIDC, Provider, errors as Errors } from 'oidc-provider';
import { issueToken } from './issue-token.js';
import { addOwnGrant } from './own-grant.js';
import { isServed, LOCAL_CLIENT, TEST_USER_GRANT } from './provider-settings.js';
import type { TestUser } from './test-users.js';

/**
 * Adds a grant that gives a program on this machine a token of a test user at once: `toolwright call --as ann`. No web
 * page can read the answer: the client of this grant has no origin.
 */
export function addTestUserGrant(
  provider: Provider,
  errors: typeof Errors,
  { users, resource: only }: { users: readonly TestUser[]; resource: string | undefined },
): void {
  const { InvalidRequest, InvalidTarget } = errors;
  const grantToken = async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { params = {} } = ctx.oidc;
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
    ctx.body = await issueToken(provider, ctx, { user, resource, asked: params['scope'], gty: 'test_user' });
  };
  addOwnGrant(provider, errors, {
    type: TEST_USER_GRANT,
    clients: [LOCAL_CLIENT],
    parameters: ['user', 'scope', 'resource'],
    answer: grantToken,
  });
}
