import { createHash } from 'node:crypto';
import { ProxyAtWork, register } from '../support/open-proxy.js';
import { ProxyPerson } from '../support/proxy-person.js';
import { quietProvider } from '../support/quiet-provider.js';

const CALLBACK = 'http://127.0.0.1:9/callback';
const NOTES = 'http://127.0.0.1:9/mcp';
const ADMIN = 'http://127.0.0.1:9/admin';
const VERIFIER = 'v'.repeat(43);

let proxy: ProxyAtWork;
let client: string;

quietProvider();
beforeAll(async () => {
  proxy = await ProxyAtWork.start(NOTES, {
    resources: { [NOTES]: ['read', 'write'], [ADMIN]: ['read', 'admin'] },
    scopesOf: () => ['read', 'write', 'admin'],
  });
  client = await register(proxy.issuer, CALLBACK, '/oauth/register', {
    grant_types: ['authorization_code', 'refresh_token'],
  });
});
afterAll(async () => {
  await proxy.close();
});

const asks = (resources: readonly string[], scope: string) => {
  const url = new URL(`${proxy.issuer}/oauth/authorize`);
  url.search = new URLSearchParams({
    ...{ client_id: client, response_type: 'code', redirect_uri: CALLBACK, scope, state: 's' },
    ...{ code_challenge: createHash('sha256').update(VERIFIER).digest('base64url') },
    code_challenge_method: 'S256',
  }).toString();
  for (const resource of resources) url.searchParams.append('resource', resource);
  return url;
};

/** What the page says: the endpoints, and the rights at each of them. */
async function shown(resources: readonly string[], scope: string) {
  const { html } = await new ProxyPerson('ann').open(asks(resources, scope));
  const rights = [...html.matchAll(/<dt>It may then(?:, at <code>(.*?)<\/code>)?<\/dt><dd>(.*?)<\/dd>/g)];
  return {
    wants: /wants to use (.*?) for you/.exec(html)![1]!.replace(/<\/?code>/g, ''),
    rights: rights.map(([, at, items]) => [at, items!.replace(/(?:<[^>]+>)+/g, ' ').trim()]),
  };
}

async function tokens(form: Record<string, string>) {
  const response = await fetch(`${proxy.issuer}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: client, ...form }),
  });
  return (await response.json()) as Record<string, string>;
}

test('the page names each endpoint that a client gets tokens for, with its scopes there', async () => {
  const both = [NOTES, `${ADMIN}/`];
  const page = await shown(both, 'read admin');
  expect(page).toEqual({
    wants: `${NOTES} and ${ADMIN}`,
    rights: [
      [NOTES, 'read'],
      [ADMIN, 'read admin'],
    ],
  });
  const back = await new ProxyPerson('ann').signIn(asks(both, 'read admin'));
  const code = back.searchParams.get('code')!;
  const first = await tokens({
    ...{ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER },
    resource: NOTES,
  });
  expect(first['scope']).toBe('read');
  const { refresh_token = '' } = first;
  const second = await tokens({ grant_type: 'refresh_token', refresh_token, resource: `${ADMIN}/` });
  expect(second['scope']).toBe('read admin');
});

test.each([
  ['the same one twice', [NOTES, `${NOTES}/`]],
  ['the first one, by naming none', []],
])('one endpoint is named once: %s', async (_what, resources) => {
  expect(await shown(resources, 'read write')).toEqual({
    wants: NOTES,
    rights: [[undefined, 'read write']],
  });
});

test('an endpoint that is written with a user is none', async () => {
  const response = await fetch(asks(['http://trusted@127.0.0.1:9/mcp'], 'read'), { redirect: 'manual' });
  expect(response.headers.get('location')).toContain('error=invalid_target');
});
