import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { startDevIssuer } from '../../src/dev.js';
import { ProxyAtWork, register } from '../support/open-proxy.js';
import { Person } from '../support/person.js';
import { ProxyPerson } from '../support/proxy-person.js';
import { quietProvider } from '../support/quiet-provider.js';

const CALLBACK = 'http://127.0.0.1:9/callback';
const RESOURCE = 'http://127.0.0.1:9/mcp';
const DOCUMENT = 'https://client.example/metadata.json';
const VERIFIER = 'v'.repeat(43);

let proxy: ProxyAtWork;

quietProvider();
beforeAll(async () => {
  proxy = await ProxyAtWork.start(RESOURCE, {
    fetch: () =>
      Promise.resolve(
        Response.json({
          ...{ client_id: DOCUMENT, client_name: 'An application', redirect_uris: [CALLBACK] },
          ...{ token_endpoint_auth_method: 'none', grant_types: ['authorization_code', 'refresh_token'] },
        }),
      ),
  });
});
afterAll(async () => {
  await proxy.close();
});

const signInAddress = (endpoint: string, client: string) =>
  new URL(
    `${endpoint}?${new URLSearchParams({
      ...{ client_id: client, response_type: 'code', redirect_uri: CALLBACK, scope: 'read', state: 's' },
      ...{ resource: RESOURCE, code_challenge_method: 'S256' },
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    })}`,
  );

/** Sends a form as a client does that has no secret, and shows who it is by the header nevertheless. */
async function ask(endpoint: string, client: string, form: Record<string, string>, isChunked = false) {
  const text = new URLSearchParams(form).toString();
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(client)}:`).toString('base64')}`,
    },
    ...(isChunked ? { body: Readable.toWeb(Readable.from([text])), duplex: 'half' } : { body: text }),
  } as RequestInit);
  return { status: response.status, ...((await response.json()) as Record<string, string>) };
}

const forCode = (code: string) => ({
  ...{ grant_type: 'authorization_code', code, redirect_uri: CALLBACK },
  ...{ code_verifier: VERIFIER, resource: RESOURCE },
});

const signIn = async (client: string) => {
  const url = signInAddress(`${proxy.issuer}/oauth/authorize`, client);
  return (await new ProxyPerson('ann').signIn(url)).searchParams.get('code')!;
};

// The SDK for C# does so with a metadata document (modelcontextprotocol/csharp-sdk#1612).
test.each([false, true])(
  'a client of a metadata document that sends an empty secret in the header gets its tokens (in parts: %j)',
  async (isChunked) => {
    const endpoint = `${proxy.issuer}/oauth/token`;
    const granted = await ask(endpoint, DOCUMENT, forCode(await signIn(DOCUMENT)), isChunked);
    expect(granted).toMatchObject({ status: 200, token_type: 'Bearer' });
    const form = { grant_type: 'refresh_token', refresh_token: (granted as never)['refresh_token'] };
    expect(await ask(endpoint, DOCUMENT, form, isChunked)).toMatchObject({ status: 200 });
  },
);

test('the issuer of development takes it, too', async () => {
  const issuer = await startDevIssuer();
  try {
    const client = await register(issuer.issuer, CALLBACK);
    const back = await new Person('ann').signIn(signInAddress(`${issuer.issuer}/auth`, client));
    const form = forCode(back.searchParams.get('code')!);
    expect(await ask(`${issuer.issuer}/token`, client, form)).toMatchObject({ status: 200 });
  } finally {
    await issuer.close();
  }
});

test('a client that has a secret must show it', async () => {
  const client = await register(proxy.issuer, CALLBACK, '/oauth/register', {
    token_endpoint_auth_method: 'client_secret_basic',
  });
  const form = forCode(await signIn(client));
  const endpoint = `${proxy.issuer}/oauth/token`;
  expect(await ask(endpoint, client, form)).toMatchObject({ status: 401, error: 'invalid_client' });
});

test('a client can name one id alone', async () => {
  const code = await signIn(DOCUMENT);
  const endpoint = `${proxy.issuer}/oauth/token`;
  for (const id of [`${DOCUMENT}&client_id=other`, 'other', ''])
    expect(await ask(endpoint, id, { ...forCode(code), client_id: DOCUMENT })).toMatchObject({ status: 400 });
  expect(await ask(endpoint, 'other', forCode(code))).toMatchObject({ status: 401, error: 'invalid_client' });
});
