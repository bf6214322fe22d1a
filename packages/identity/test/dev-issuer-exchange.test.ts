import { startDevIssuer, type DevIssuer } from '../src/dev.js';

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const endpoint = 'http://127.0.0.1:3000/mcp';
const upstream = 'http://127.0.0.1:3000/billing';

let issuer: DevIssuer;
const client = { client_id: 'endpoint', client_secret: 'a secret of the endpoint' };

beforeAll(async () => {
  issuer = await startDevIssuer({
    resource: endpoint,
    clients: [client],
    users: [
      { subject: 'ann', scopes: ['read', 'billing:read', 'billing:refund'], claims: { org: 'acme' } },
      { subject: 'ben', scopes: ['read'], claims: { org: 'globex' } },
    ],
  });
});
afterAll(() => issuer.close());

async function exchange(fields: Record<string, string>): Promise<Record<string, unknown>> {
  const response = await fetch(`${issuer.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: EXCHANGE,
      subject_token_type: ACCESS_TOKEN,
      resource: upstream,
      ...client,
      ...fields,
    }),
  });
  return (await response.json()) as Record<string, unknown>;
}

const claimsOf = (token: unknown) =>
  JSON.parse(Buffer.from(String(token).split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

test('a test user has the claims of its file, such as a tenant', async () => {
  expect(claimsOf(await issuer.token('ann'))).toMatchObject({ sub: 'ann', org: 'acme' });
  expect(claimsOf(await issuer.token('ben'))).toMatchObject({ sub: 'ben', org: 'globex' });
});

test('a client with a secret gets a token of the same user for what lies behind the endpoint', async () => {
  const answer = await exchange({ subject_token: await issuer.token('ann'), scope: 'billing:read admin' });
  expect(answer).toMatchObject({ token_type: 'Bearer', issued_token_type: ACCESS_TOKEN });
  expect(claimsOf(answer['access_token'])).toMatchObject({
    sub: 'ann',
    org: 'acme',
    aud: upstream,
    scope: 'billing:read',
    client_id: client.client_id,
  });
});

test('nobody gets scopes by it that the user does not have', async () => {
  const answer = await exchange({ subject_token: await issuer.token('ben'), scope: 'billing:refund' });
  expect(claimsOf(answer['access_token'])).not.toHaveProperty('scope');
});

test.each<[string, Record<string, string>, string]>([
  ['a token of nobody', { subject_token: 'eyJ.e30.x' }, 'invalid_grant'],
  [
    'another type of token',
    { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
    'invalid_request',
  ],
  ['a resource of elsewhere', { resource: 'https://api.example.com' }, 'invalid_target'],
  ['a wrong secret', { client_secret: 'guessed' }, 'invalid_client'],
])('%s is refused', async (_what, fields, error) => {
  expect(await exchange({ subject_token: await issuer.token('ann'), ...fields })).toMatchObject({ error });
});

test('a token that was exchanged cannot be exchanged again', async () => {
  const { access_token } = await exchange({ subject_token: await issuer.token('ann') });
  expect(await exchange({ subject_token: String(access_token) })).toMatchObject({ error: 'invalid_grant' });
});

test.each(['none', 'client_secret_post'])(
  'a client that registers, with %s, exchanges nothing, so a stolen token stays what it is',
  async (method) => {
    const response = await fetch(`${issuer.issuer}/reg`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_types: [EXCHANGE],
        response_types: [],
        redirect_uris: [],
        token_endpoint_auth_method: method,
      }),
    });
    const registered = (await response.json()) as { client_id: string; client_secret?: string };
    const { client_id, client_secret = '' } = registered;
    const answer = await exchange({ client_id, client_secret, subject_token: await issuer.token('ann') });
    expect(answer).not.toHaveProperty('access_token');
    expect(answer).toHaveProperty('error');
  },
);
