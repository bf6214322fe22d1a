import type { ServerOptions } from '@toolwright/core';
import { MemoryClaimStore, MemoryEventBus, MemoryEventStore } from '@toolwright/core/ports';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { serveHttp, type HttpService } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { ManualClock } from '@toolwright/testing';

const secrets = ['s'.repeat(32)];
const clock = new ManualClock();
const claims = new MemoryClaimStore(clock);
const shared = { bus: new MemoryEventBus(), claims, events: new MemoryEventStore() };

const services = closedAfterEach<HttpService>();

async function start(options: Partial<ServerOptions> = {}, port = 0) {
  const { server } = await createFixture({ stores: shared, secrets, ...options });
  const service = await serveHttp(server, { port, signals: false });
  services.push(service);
  return { server, ...service };
}

const clientInfo = { name: 'client', version: '1' };
const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };

const send = (url: string, method: string, message?: object, session?: string) =>
  fetch(url, {
    method,
    headers: {
      'Content-Type': 'application/json',
      Accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(session && { 'Mcp-Session-Id': session }),
    },
    ...(message && { body: JSON.stringify({ jsonrpc: '2.0', ...message }) }),
  });

async function open(url: string): Promise<string> {
  const answer = await send(url, 'POST', { id: 1, method: 'initialize', params: handshake });
  const id = answer.headers.get('mcp-session-id')!;
  await send(url, 'POST', { method: 'notifications/initialized' }, id);
  return id;
}

/** Resolves when the stream has this text. */
async function heard({ body }: Response, text: string): Promise<void> {
  const reader = body!.getReader();
  for (let said = ''; !said.includes(text);) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The stream ended after: ${said}`);
    said += Buffer.from(value as Uint8Array).toString();
  }
}

test('A client that listens has finished its handshake, perhaps at another process', async () => {
  const one = await start();
  const answer = await send(one.url, 'POST', { id: 1, method: 'initialize', params: handshake });
  const stream = await send(one.url, 'GET', undefined, answer.headers.get('mcp-session-id')!);
  one.server.tools.remove('echo');
  await heard(stream, 'notifications/tools/list_changed');
});

test('Requests of one session are served by whichever process gets them, until its client ends it', async () => {
  const [one, two] = [await start(), await start()];
  const id = await open(one.url);
  expect(id).toMatch(/^[\x21-\x7e]{1,400}$/);
  const list = { id: 2, method: 'tools/list' };
  expect((await send(two.url, 'POST', list, id)).status).toBe(200);
  const stream = await send(two.url, 'GET', undefined, id);
  one.server.tools.remove('echo');
  await heard(stream, 'notifications/tools/list_changed');
  expect((await send(one.url, 'DELETE', undefined, id)).status).toBe(200);
  const after = [one, two].map(async ({ url }) => (await send(url, 'POST', list, id)).status);
  expect(await Promise.all(after)).toEqual([404, 404]);
});

test('The official client goes on after its server was restarted', async () => {
  const first = await start();
  const client = new Client(clientInfo);
  await client.connect(new StreamableHTTPClientTransport(new URL(first.url)));
  const say = async (text: string) => {
    const { content } = await client.callTool({ name: 'echo', arguments: { text } });
    return (content as { text: string }[])[0]!.text;
  };
  expect(await say('before')).toBe('before');
  await services.pop()!.close();
  await start({}, first.port);
  expect(await say('after')).toBe('after');
  await client.close();
});

test('While nobody can say whether a session has ended, it is refused where that is wanted', async () => {
  const { url: opener } = await start();
  const has = () => Promise.reject(new Error('away'));
  const away = { claim: () => true, release: () => true, has };
  const { url } = await start({
    stores: { ...shared, claims: away },
    sessions: { whenUnverified: 'refuse' },
  });
  const answer = await send(url, 'POST', { id: 2, method: 'ping' }, await open(opener));
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await answer.json()).toMatchObject({
    error: { message: expect.stringContaining('Try again later') },
  });
});
