import { isLoopback, readUrl, resourceMetadataUrl } from '@toolwright/json';
import { CommandError } from '@toolwright/operate/terminal';

/** The grant of `@toolwright/identity/dev`, which gives programs on this machine tokens of test users. */
const TEST_USER_GRANT = 'urn:toolwright:params:oauth:grant-type:test-user';

interface TestUser {
  subject: string;
  scopes: readonly string[];
}

interface IssuerMetadata {
  token_endpoint?: string;
  toolwright_test_users?: readonly TestUser[];
}

/**
 * Signs in at the local issuer of `toolwright dev`.
 *
 * @returns an access token for the endpoint
 * @throws {CommandError} if the endpoint trusts no such issuer, or there is no such user
 */
export async function testUserToken(endpoint: URL, user: string): Promise<string> {
  const { resource, issuer } = await findIssuer(endpoint);
  const { token_endpoint: url, toolwright_test_users: users } = await describedBy(issuer);
  if (url === undefined || users === undefined)
    throw new CommandError(`${issuer} has no test users. Sign in there, and pass the token with --header.`);
  if (!users.some(({ subject }) => subject === user)) {
    const names = users.map(({ subject, scopes }) => `${subject} (${scopes.join(' ') || 'no scope'})`);
    throw new CommandError(`There is no test user ${user}. There are: ${names.join(', ')}.`);
  }
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    body: new URLSearchParams({ grant_type: TEST_USER_GRANT, client_id: 'toolwright', user, resource }),
  });
  const answer = (await response.json()) as { access_token?: string; error_description?: string };
  if (answer.access_token !== undefined) return answer.access_token;
  throw new CommandError(`${issuer} gives no token for ${user}: ${answer.error_description}.`);
}

/** The test users whom an endpoint on this machine lets in; none if it trusts no local issuer. */
export async function testUsersOf(endpoint: URL): Promise<string[]> {
  if (!isLoopback(endpoint)) return [];
  const { issuer } = await findIssuer(endpoint);
  return ((await describedBy(issuer)).toolwright_test_users ?? []).map(({ subject }) => subject);
}

const describedBy = async (issuer: string): Promise<IssuerMetadata> =>
  fetchJson(new URL('/.well-known/openid-configuration', issuer));

/** What the endpoint says of itself (RFC 9728). Only an issuer on this machine has test users. */
async function findIssuer(endpoint: URL): Promise<{ resource: string; issuer: string }> {
  const metadata = (await fetchJson(new URL(resourceMetadataUrl(endpoint.href)))) as {
    resource?: string;
    authorization_servers?: readonly string[];
  };
  const issuers = metadata.authorization_servers ?? [];
  const issuer = issuers.find((each) => readUrl(each)?.hostname === '127.0.0.1');
  if (issuer !== undefined && metadata.resource !== undefined) return { resource: metadata.resource, issuer };
  throw new CommandError(
    `--as needs the local issuer of "toolwright dev", and ${endpoint} ${issuers.length > 0 ? `trusts ${issuers.join(', ')}` : 'asks for no sign-in'}.`,
  );
}

async function fetchJson(url: URL): Promise<object> {
  let response: Response;
  try {
    response = await fetch(url, { redirect: 'error' });
  } catch (error) {
    const { cause } = error as { cause?: Error };
    throw new CommandError(`${url.origin} cannot be reached: ${cause?.message ?? String(error)}.`);
  }
  // An endpoint without sign-in has no such document.
  return response.ok ? ((await response.json().catch(() => ({}))) as object) : {};
}
