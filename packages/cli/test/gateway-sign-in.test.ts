import { readFileSync } from 'node:fs';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { type DevIssuer, startDevIssuer } from '../../identity/src/dev.js';
import { connectAs, type Version } from '../../identity/test/support/oauth-client.js';
import { config, GatewayProject, urlIn } from './support/gateway-project.js';
import { quietProvider } from '../../identity/test/support/quiet-provider.js';

// The gateway is a file alone. Its issuer is a real one (oidc-provider), and official clients sign in.
let project: GatewayProject;
let issuer: DevIssuer;
let endpoint: string;

quietProvider();

beforeAll(async () => {
  project = new GatewayProject();
  issuer = await startDevIssuer();
  endpoint = `http://127.0.0.1:${await freePort()}/mcp`;
  const { port } = new URL(endpoint);
  const signIn = { resource: endpoint, issuers: [issuer.issuer], scopesSupported: ['read', 'write'] };
  const guards = { policies: { pay: { requireScopes: ['write'] } } };
  project.writeJson('mcp.json', config(guards, { port: Number(port), signIn }));
  expect(urlIn((await project.serveAsFiled(1))[0]!)).toBe(endpoint);
});

afterAll(async () => {
  await project.leave();
  await issuer.close();
});

function ask(token?: string): Promise<Response> {
  return fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    }),
  });
}

test('a call without a token gets a challenge, which leads to the metadata and to the issuer', async () => {
  const { status, headers } = await ask();
  expect(status).toBe(401);
  const challenge = headers.get('www-authenticate')!;
  expect(challenge).toMatch(/^Bearer /);
  expect(challenge).toContain('scope="read write"');
  const metadata = /resource_metadata="([^"]+)"/.exec(challenge)![1]!;
  expect(metadata).toBe(`${new URL(endpoint).origin}/.well-known/oauth-protected-resource/mcp`);
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource: endpoint,
    authorization_servers: [issuer.issuer],
  });
});

test('a token of the same issuer for another resource is refused', async () => {
  const other = await ask(await issuer.token('ann', { resource: 'http://127.0.0.1:9/mcp' }));
  expect(other.status).toBe(401);
  expect(other.headers.get('www-authenticate')).toContain('error="invalid_token"');
  expect((await ask(await issuer.token('ann', { resource: endpoint }))).status).toBe(200);
});

test.each<[Version]>([['v1'], ['v2']])(
  'an official client (%s) signs in, and the audit log knows who called the server behind',
  async (version) => {
    const ann = await connectAs(version, endpoint, 'ann');
    expect(await ann.names()).toEqual(['bank_pay']);
    expect(await ann.call('bank_pay')).toEqual({ text: 'paid main' });
    await ann.close();
    const ben = await connectAs(version, endpoint, 'ben');
    expect(await ben.names()).toEqual([]);
    await ben.close();
    const records = readFileSync(project.path('mcp.audit.jsonl'), 'utf8').split('\n');
    expect(records.filter((line) => line.includes('"operation":"mount"')).at(-1)).toContain(
      '"subject":"ann"',
    );
  },
);

test('what is wrong with the sign-in ends the command with its line, before any server is started', () => {
  project.writeJson('wrong.json', config({}, { signIn: { issuers: [issuer.issuer], resorce: endpoint } }));
  const { status, stderr } = project.toolwright('serve', 'wrong.json', '--port', '0');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^wrong\.json:\d+:\d+: .*resorce/m);
});
