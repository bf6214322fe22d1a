import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Principal, ServerOptions } from '@toolwright/core';
import { mcpHttp } from '../../src/index.js';
import { createFixture, type Fixture } from '../support/fixture.js';
import { initialize, LegacyClient } from '../support/legacy-client.js';
import { LiveStream } from '../support/live-stream.js';
import { modern, send, type WireRequest } from '../support/wire.js';

let http: Server;
let url: string;
let fixture: Fixture;
afterEach(async () => {
  await fixture.server.close();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

/** Callers that name themselves are principals; a proxy forwards the addresses of the others. */
async function serve(options: Partial<ServerOptions> = {}): Promise<void> {
  fixture = await createFixture(options);
  const principal = (req: { headers: Record<string, unknown> }) =>
    req.headers['x-user'] === undefined ? undefined : { subject: String(req.headers['x-user']), scopes: [] };
  const ip = ({ headers }: IncomingMessage) => headers['x-forwarded-for'] as string | undefined;
  http = createServer(mcpHttp(fixture.server, { principal, sse: true, ip }));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

const from = (ip: string) => ({ 'x-forwarded-for': ip });
const user = (name: string) => ({ 'x-user': name });
const connect = (headers: Record<string, string>) => LegacyClient.connect(url, '2025-11-25', { headers });
const statusOf = async (client: LegacyClient) => (await client.request('ping')).status;
const withHeaders = (request: WireRequest, headers: Record<string, string>) => ({
  ...request,
  headers: { ...request.headers, ...headers },
});
const listenRequest = (headers: Record<string, string>) =>
  withHeaders(
    modern('subscriptions/listen', { params: { notifications: { toolsListChanged: true } } }),
    headers,
  );
const listen = async (headers: Record<string, string>) => {
  const stream = await LiveStream.open(url, listenRequest(headers));
  await stream.event(1);
  return stream;
};
const refusal = async (headers: Record<string, string>) =>
  (await send(url, listenRequest(headers))).json?.error?.code;

async function flood(count: number, headers: Record<string, string> = {}): Promise<void> {
  for (let sent = 0; sent < count; sent += 100) {
    const opening = Array.from({ length: 100 }, () => send(url, { body: initialize('2025-11-25'), headers }));
    expect((await Promise.all(opening)).every(({ status }) => status === 200)).toBe(true);
  }
}

test('whatever anonymous callers open, a principal keeps its session, and gets another', async () => {
  await serve({ sessions: { max: 50 } });
  const ann = await connect(user('ann'));
  await flood(300);
  expect(await statusOf(ann)).toBe(200);
  expect(await statusOf(await connect(user('bob')))).toBe(200);
  expect(fixture.server.protocol.load.sessions).toBe(52);
});

test('principals take no session from anonymous callers either', async () => {
  await serve({ sessions: { max: 2 } });
  const nobody = await connect({});
  for (const name of ['ann', 'bob', 'cid', 'dan']) await connect(user(name));
  expect(await statusOf(nobody)).toBe(200);
});

test('anonymous sessions have their own limit', async () => {
  await serve({ sessions: { maxAnonymous: 1 } });
  const clients = [await connect({}), await connect({})];
  expect([await statusOf(clients[0]!), await statusOf(clients[1]!)]).toEqual([404, 200]);
});

test('a flood from one address takes no session from anonymous callers of other addresses', async () => {
  await serve({ sessions: { maxAnonymous: 20 } });
  const quiet = await connect(from('192.0.2.1'));
  await flood(100, from('192.0.2.66'));
  expect(await statusOf(quiet)).toBe(200);
  expect(await statusOf(await connect(from('192.0.2.2')))).toBe(200);
});

test('however many streams anonymous callers have, a principal gets one', async () => {
  await serve({ subscriptions: { max: 3 } });
  const taken = [await listen({}), await listen({}), await listen({})];
  expect(await refusal({})).toBe(-32603);
  const stream = await listen(user('ann'));
  fixture.server.tools.add({ name: 'late', description: 'Late.', handler: () => 'late' });
  expect((await stream.event(2)).message.method).toBe('notifications/tools/list_changed');
  for (const each of [...taken, stream]) each.close();
});

test('if principals have all their streams, anonymous callers keep theirs', async () => {
  await serve({ subscriptions: { max: 2, maxAnonymous: 1 } });
  const taken = [await listen(user('ann')), await listen(user('bob')), await listen({})];
  expect([await refusal(user('cid')), await refusal({})]).toEqual([-32603, -32603]);
  for (const each of taken) each.close();
});

test('an address with many streams loses some to addresses with fewer, and they end properly', async () => {
  await serve({ subscriptions: { maxAnonymous: 4 } });
  const flooder = from('192.0.2.66');
  const taken = [await listen(flooder), await listen(flooder), await listen(flooder), await listen(flooder)];
  const others = [await listen(from('192.0.2.1')), await listen(from('192.0.2.1'))];
  expect(await refusal(from('192.0.2.1'))).toBe(-32603);
  expect(await refusal(flooder)).toBe(-32603);
  for (const ended of [taken[3]!, taken[2]!]) {
    expect((await ended.event(2)).message).toMatchObject({ id: 1, result: { resultType: 'complete' } });
    await ended.ended();
  }
  expect(fixture.server.protocol.load.subscriptions).toBe(4);
  for (const each of [...taken, ...others]) each.close();
});

test('however many streams of 2024-11-05 anonymous callers have, a principal gets one', async () => {
  await serve();
  const open = (headers: Record<string, string>) => LiveStream.open(url, { method: 'GET', headers });
  const taken = await Promise.all(Array.from({ length: 1_000 }, () => open({})));
  expect(taken.every(({ status }) => status === 200)).toBe(true);
  expect((await open({})).status).toBe(503);
  const ann = await open(user('ann'));
  expect(ann.status).toBe(200);
  const other = await open(from('192.0.2.1'));
  expect(other.status).toBe(200);
  for (const each of [...taken, ann, other]) each.close();
});

test('events of anonymous callers displace no events that a principal could still resume', async () => {
  await serve();
  const opened = (principal: Principal | undefined) => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const request = { kind: 'request', id: 1, method: 'initialize', params } as const;
    return fixture.server.protocol.openSession(request, { principal, ip: undefined, transport: 'http' })
      .session!;
  };
  const ann = opened({ subject: 'ann', scopes: [] });
  const stream = ann.streams.open();
  const missed: string[] = [];
  stream.send('first');
  stream.send('second');
  const megabyte = 'x'.repeat(1_000_000);
  for (let index = 0; index < 80; index++) opened(undefined).streams.open().send(megabyte);
  await ann.streams.resume(`${stream.id}_0`, { write: (text) => missed.push(text), close: () => undefined });
  expect(missed).toEqual(['second']);
});
