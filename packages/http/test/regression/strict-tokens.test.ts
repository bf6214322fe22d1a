import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createMcpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { oauthResourceServer, serveHttp, type OAuthResourceServerOptions } from '../../src/index.js';
import { LocalIssuer } from '../support/local-issuer.js';

const resource = 'https://api.example.com/mcp';
let issuer: LocalIssuer;

beforeAll(async () => (issuer = await LocalIssuer.start()));
afterAll(() => issuer.close());

const guard = () =>
  oauthResourceServer({ resource, issuers: [{ issuer: issuer.issuer, jwksUri: `${issuer.origin}/jwks` }] });

/** Why a token is refused; `undefined` if it is accepted. */
async function reasonFor(token: string): Promise<string | undefined> {
  const asked = new Request(resource, { headers: { authorization: `Bearer ${token}` } });
  const outcome = await guard().authenticate(asked);
  return 'challenge' in outcome ? `${outcome.challenge.status} ${outcome.challenge.reason}` : undefined;
}

test('a token of the issuer is accepted, with claims of some levels', async () => {
  expect(await reasonFor(await issuer.token({ aud: resource, a: { b: { c: [1] } } }))).toBeUndefined();
});

test('a token whose typ is DPoP is refused, also without cnf', async () => {
  expect(await reasonFor(await issuer.token({ aud: resource, typ: 'DPoP' }))).toBe('401 bound');
});

test('a token of 4,500 nested lists is refused, and the issuer is not blamed', async () => {
  const nested = '['.repeat(4_500) + ']'.repeat(4_500);
  expect(await reasonFor(await issuer.sign(payload({ nested })))).toBe('401 claims');
});

test.each(['exp', 'nbf', 'iat'])('a token whose %s is infinite is refused', async (claim) => {
  const reason = await reasonFor(await issuer.sign(payload({ [claim]: '1e400' })));
  expect(reason).toMatch(/^401 (?:claims|not-yet-valid)$/);
});

/** A payload as text, with values that are JSON already. */
function payload(over: Record<string, string>): string {
  const exp = String(Math.floor(Date.now() / 1000) + 60);
  const all = { iss: `"${issuer.issuer}"`, sub: '"ann"', aud: `"${resource}"`, exp, ...over };
  return `{${Object.entries(all)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;
}

test.each<[string, Partial<OAuthResourceServerOptions>, RegExp]>([
  ['an empty audience', { audience: '' }, /oauth\.audience is empty/],
  ['no audience', { audience: [] }, /oauth\.audience is empty/],
  ['an empty audience among others', { audience: ['a', ''] }, /oauth\.audience is empty/],
  ['no algorithm', { algorithms: [] }, /oauth\.algorithms is empty/],
  ['a resource with a fragment', { resource: `${resource}#x` }, /oauth\.resource: .* has a fragment/],
  ['an issuer with a query', { issuers: ['https://a.example/?x=1'] }, /oauth\.issuers: .* has a query/],
  ['an issuer with a fragment', { issuers: ['https://a.example/#x'] }, /oauth\.issuers: .* has a query/],
  ['an issuer with user info', { issuers: ['https://u:p@a.example'] }, /oauth\.issuers: .* user info/],
  ['a scope with a blank', { scopesSupported: ['a b'] }, /"a b" is not a scope/],
  ['an implied scope with a blank', { impliedScopes: { a: ['b c'] } }, /"b c" is not a scope/],
])('%s is refused when the server is set up', (_what, options, message) => {
  expect(() => oauthResourceServer({ resource, issuers: [issuer.issuer], ...options })).toThrow(message);
});

test('two Authorization headers are a malformed request, whichever of them is valid', async () => {
  const server = await createMcpServer({ name: 'strict', version: '1', services: [], logger: silentLogger });
  const service = await serveHttp(server, { port: 0, oauth: guard(), signals: false });
  try {
    const token = await issuer.token({ aud: resource });
    const asked = request(service.url, { method: 'POST' });
    asked.setHeader('content-type', 'application/json');
    asked.setHeader('Authorization', [`Bearer ${token}`, 'Bearer other']);
    asked.end('{}');
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(400);
    expect(response.headers['www-authenticate']).toContain('error="invalid_request"');
  } finally {
    await service.close();
  }
});
