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
  ...(req.headers['x-tenant'] !== undefined && { tenant: String(req.headers['x-tenant']) }),
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

test('a tenant with the maximum number of listen streams gets no more for any of its users', async () => {
  await serve({ subscriptions: { maxPerTenant: 2 } });
  const ofTenant = (tenant: string, user: string) => {
    const request = listenRequest(user);
    return { ...request, headers: { ...request.headers, 'x-tenant': tenant } };
  };
  const open = async (tenant: string, user: string) => {
    const stream = await LiveStream.open(service.url, ofTenant(tenant, user));
    await stream.event(1);
    return stream;
  };
  const streams = [await open('acme', 'ann'), await open('acme', 'bob')];
  expect((await send(service.url, ofTenant('acme', 'eve'))).json.error.code).toBe(-32603);
  streams.push(await open('globex', 'eve'));
  for (const stream of streams) stream.close();
});

test('a tenant with the maximum number of streams of HTTP+SSE gets no more, and others do', async () => {
  await serve({ subscriptions: { maxPerTenant: 1 } });
  const open = (tenant: string, user: string) =>
    fetch(service.url, { headers: { accept: 'text/event-stream', 'x-tenant': tenant, 'x-user': user } });
  const streams = [await open('acme', 'ann'), await open('acme', 'bob'), await open('globex', 'bob')];
  expect(streams.map(({ status }) => status)).toEqual([200, 503, 200]);
  for (const { body } of streams) await body?.cancel();
});

test('a tenant with too many sessions loses its own that was unused for the longest time', async () => {
  await serve({ sessions: { maxPerTenant: 2 } });
  const connect = (tenant: string, user: string) =>
    LegacyClient.connect(service.url, '2025-11-25', { headers: { 'x-user': user, 'x-tenant': tenant } });
  const modest = await connect('globex', 'ann');
  const greedy = [await connect('acme', 'ann'), await connect('acme', 'bob'), await connect('acme', 'eve')];
  const statuses = await Promise.all(
    [modest, ...greedy].map(async (client) => (await client.request('ping')).status),
  );
  expect(statuses).toEqual([200, 404, 200, 200]);
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
