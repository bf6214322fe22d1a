import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../../.ci/test/support/until.js';
import { makeOwnCa } from '../../identity/test/support/certificates.js';
import { mcpHttp } from '../src/index.js';
import { createFixture, type Fixture } from './support/fixture.js';
import { call, type WireRequest } from './support/wire.js';

const old = makeOwnCa('the old authority');
const next = makeOwnCa('the next authority');
let fixture: Fixture;
let https: Server;
beforeAll(async () => {
  fixture = await createFixture();
  https = createServer(old.server, mcpHttp(fixture.server)).listen(0, '127.0.0.1');
  await once(https, 'listening');
});
afterAll(async () => {
  https.closeAllConnections();
  await new Promise((resolve) => https.close(resolve));
  await fixture.server.close(0);
});

function send({ headers, body }: WireRequest, agent: Agent): Promise<string> {
  const { port } = https.address() as AddressInfo;
  const options = { port, host: '127.0.0.1', path: '/mcp', method: 'POST', agent };
  return new Promise((resolve, reject) => {
    const sent = request(
      { ...options, headers: { 'content-type': 'application/json', ...headers } as Record<string, string> },
      (answer: IncomingMessage) => {
        let text = '';
        answer.on('data', (chunk) => (text += String(chunk))).on('end', () => resolve(text));
      },
    );
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

test('a certificate is replaced under a call that runs, and later connections get the new one', async () => {
  const [before, after] = [old, next].map(({ ca }) => new Agent({ ca, keepAlive: true, maxSockets: 1 }));
  const running = send(call('hold', { gate: 'tls' }), before!);
  await until(() => fixture.gates.entered.includes('tls'));
  https.setSecureContext(next.server);
  expect(await send(call('echo', { text: 'new' }), after!)).toContain('new');
  fixture.gates.open('tls');
  expect(await running).toContain('"result"');
  expect(await send(call('echo', { text: 'on the same connection' }), before!)).toContain(
    'on the same connection',
  );
  await expect(send(call('echo', { text: 'x' }), new Agent({ ca: old.ca }))).rejects.toThrow('certificate');
  for (const agent of [before, after]) agent!.destroy();
});
