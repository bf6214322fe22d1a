import type { Principal } from '@toolwright/core';
import { serveHttp, type HttpService } from '../src/index.js';
import { createFixture, type Fixture } from './support/fixture.js';
import { LegacyClient } from './support/legacy-client.js';
import { LiveStream } from './support/live-stream.js';
import { modern, send } from './support/wire.js';

let service: HttpService;
afterEach(() => service.close());

const principal = (req: { headers: Record<string, unknown> }): Principal => ({
  subject: String(req.headers['x-user']),
  scopes: [],
});
const serve = async (options: Parameters<typeof createFixture>[0]): Promise<Fixture> => {
  const fixture = await createFixture(options);
  service = await serveHttp(fixture.server, { port: 0, signals: false, sse: true, principal });
  return fixture;
};

function listenRequest(user: string) {
  const request = modern('subscriptions/listen', { params: { notifications: {} } });
  return { ...request, headers: { ...request.headers, 'x-user': user } };
}

test('a caller with the maximum number of listen streams gets no more, and others still do', async () => {
  const { server } = await serve({ subscriptions: { maxPerPrincipal: 2 } });
  const open = async (user: string) => {
    const stream = await LiveStream.open(service.url, listenRequest(user));
    await stream.event(1);
    return stream;
  };
  const greedy = [await open('greedy'), await open('greedy')];
  expect((await send(service.url, listenRequest('greedy'))).json.error.code).toBe(-32603);
  const modest = await open('modest');
  greedy[0]!.close();
  while (server.protocol.load.subscriptions > 2) await new Promise((resolve) => setImmediate(resolve));
  greedy.push(await open('greedy'));
  for (const stream of [...greedy, modest]) stream.close();
});

test('sessions do not count as listen streams', async () => {
  await serve({ subscriptions: { max: 1 } });
  await LegacyClient.connect(service.url, '2025-11-25');
  const stream = await LiveStream.open(service.url, listenRequest('ann'));
  expect((await stream.event(1)).message.method).toBe('notifications/subscriptions/acknowledged');
  stream.close();
});

test('a caller with too many sessions loses its own session that was unused for the longest time', async () => {
  await serve({ sessions: { maxPerPrincipal: 2 } });
  const connect = (user: string) =>
    LegacyClient.connect(service.url, '2025-11-25', { headers: { 'x-user': user } });
  const modest = await connect('modest');
  const greedy = [await connect('greedy'), await connect('greedy'), await connect('greedy')];
  const statuses = await Promise.all(
    [modest, ...greedy].map(async (client) => (await client.request('ping')).status),
  );
  expect(statuses).toEqual([200, 404, 200, 200]);
});

test('a principal whose sessions are all in use is asked to come back later', async () => {
  const { gates } = await serve({ sessions: { maxPerPrincipal: 1 } });
  const client = await LegacyClient.connect(service.url, '2025-11-25', { headers: { 'x-user': 'greedy' } });
  const held = client.call('hold', { gate: 'busy' });
  while (!gates.entered.includes('busy')) await new Promise((resolve) => setImmediate(resolve));
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };
  const refused = await send(service.url, { body, headers: { 'x-user': 'greedy' } });
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
  gates.open('busy');
  expect((await held).status).toBe(200);
});

test('streams of 2024-11-05 are also limited for each principal', async () => {
  await serve({});
  const get = (user: string) => ({ method: 'GET', headers: { 'x-user': user } });
  const streams = await Promise.all(
    Array.from({ length: 64 }, () => LiveStream.open(service.url, get('greedy'))),
  );
  const refused = await send(service.url, get('greedy'));
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
  const other = await LiveStream.open(service.url, get('modest'));
  expect(other.status).toBe(200);
  for (const stream of [...streams, other]) stream.close();
});
