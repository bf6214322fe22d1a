import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDevIssuer } from '../../src/dev.js';
import { openAuthorizationProxy } from '../../src/proxy.js';

/** The status of the answer to a request for exactly this target. */
async function statusOf(port: number, path: string): Promise<number | undefined> {
  const sent = request({ host: '127.0.0.1', port, path, agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

// A handler of node:http that throws ends its process, and every stranger can send these.
const targets = [
  '//',
  '//[',
  '/oauth/authorize?client_id=x&resource=constructor',
  '/oauth//?resource=__proto__',
];

test('no target of a request ends the process of the authorization proxy', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${portOf(server)}`;
  const proxy = await openAuthorizationProxy({
    issuer: origin,
    upstream: { issuer: 'http://127.0.0.1:9', clientId: 'mcp' },
    resources: { [`${origin}/mcp`]: ['read'] },
    scopesOf: () => ['read'],
    secrets: ['a secret of the tests that is long enough'],
  });
  server.on('request', proxy.handler as RequestListener);
  for (const target of targets) expect(await statusOf(portOf(server), target)).toBeGreaterThanOrEqual(400);
  server.close();
});

test('no target of a request ends the process of the issuer for development', async () => {
  const issuer = await startDevIssuer();
  for (const target of targets)
    expect(await statusOf(Number(new URL(issuer.issuer).port), target)).toBeGreaterThanOrEqual(400);
  await issuer.close();
});
