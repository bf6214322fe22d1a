import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { startDevIssuer } from '../../src/dev.js';
import { openCompany } from '../support/company-issuer.js';
import { ProxyAtWork } from '../support/open-proxy.js';
import { quietProvider } from '../support/quiet-provider.js';

const ORIGIN = 'https://evil.example';
const DOCUMENT = `${ORIGIN}/client.json`;
const RESOURCE = 'http://127.0.0.1:3000/mcp';
const TEST_USER = 'urn:toolwright:params:oauth:grant-type:test-user';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

quietProvider();

/** A document that claims a grant of the issuer, and the address of a page. */
const document = (grants: string[], further: object = {}) => ({
  client_id: DOCUMENT,
  client_name: 'A page',
  redirect_uris: [`${ORIGIN}/back`],
  grant_types: ['authorization_code', ...grants],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  ...further,
});

async function ask(endpoint: string, form: Record<string, string>) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { origin: ORIGIN },
    body: new URLSearchParams({ client_id: DOCUMENT, ...form }),
  });
  return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
}

test('no page gets a token of a test user by a metadata document, and none by an exchange', async () => {
  const issuer = await startDevIssuer({
    fetch: () => Promise.resolve(Response.json(document([TEST_USER, EXCHANGE]))),
  });
  try {
    const forms: Record<string, string>[] = [
      { grant_type: TEST_USER, user: 'ann', resource: RESOURCE },
      {
        grant_type: EXCHANGE,
        subject_token: await issuer.token('ann', { resource: RESOURCE }),
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        resource: RESOURCE,
      },
    ];
    for (const form of forms)
      expect(await ask(`${issuer.issuer}/token`, form)).toMatchObject({
        status: 400,
        error: 'unauthorized_client',
      });
  } finally {
    await issuer.close();
  }
});

test('a document client that signs its requests uses no identity assertion', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: 'one' };
  const company = await openCompany(key);
  const proxy = await ProxyAtWork.start(RESOURCE, {
    identityAssertions: [company.issuer],
    clients: [{ client_id: 'office', client_secret: 'a secret of the office' }],
    redirects: [`${ORIGIN}/*`],
    fetch: () =>
      Promise.resolve(
        Response.json(
          document([JWT_BEARER], { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key] } }),
        ),
      ),
  });
  try {
    const sign = (claims: Record<string, string>, typ: string) =>
      new SignJWT({ aud: proxy.issuer, ...claims })
        .setProtectedHeader({ alg: 'ES256', typ, kid: 'one' })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey);
    const answer = await ask(`${proxy.issuer}/oauth/token`, {
      grant_type: JWT_BEARER,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await sign({ iss: DOCUMENT, sub: DOCUMENT, jti: 'of the client' }, 'JWT'),
      assertion: await sign(
        { iss: company.issuer, sub: 'ann', jti: 'of ann', client_id: DOCUMENT, resource: RESOURCE },
        'oauth-id-jag+jwt',
      ),
    });
    expect(answer).toMatchObject({ status: 400, error: 'invalid_request' });
    expect(answer).not.toHaveProperty('access_token');
  } finally {
    company.close();
    await proxy.close();
  }
});
