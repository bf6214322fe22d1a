import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '@toolwright/testing';
import { drainOnSignal, mcpHttp, mcpReady, serveHttp } from '../src/index.js';
import { createFixture } from './support/fixture.js';

const agents: Agent[] = [];
afterEach(() => agents.splice(0).forEach((agent) => agent.destroy()));

/** A connection that is kept, as balancers keep theirs. */
function keptLine(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
}

async function get(url: string, agent = keptLine()): Promise<IncomingMessage & { text: string }> {
  const sent = request(url, { agent }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return Object.assign(response, { text });
}

/** An app with a mounted server, a readiness check, and a slow route of its own. */
async function startApp() {
  const clock = new ManualClock();
  const { server } = await createFixture({ ports: { clock } });
  const [ready, mcp] = [mcpReady(server), mcpHttp(server)];
  let finish!: () => void;
  const isFinished = new Promise<void>((resolve) => (finish = resolve));
  const http: Server = createServer((req, res) => {
    if (req.url === '/readyz') return ready(req, res);
    if (req.url === '/mcp') return mcp(req, res);
    void (req.url === '/slow' ? isFinished : Promise.resolve()).then(() => res.end('done'));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const at = (path: string) => `http://127.0.0.1:${(http.address() as AddressInfo).port}${path}`;
  return { clock, server, http, finish, at };
}

test('A mounted app leaves its balancer: it says so, ends its connections, and loses no request', async () => {
  const { clock, server, http, finish, at } = await startApp();
  const order: string[] = [];
  const app = drainOnSignal(Promise.resolve(server), http, {
    drainDelay: 5_000,
    signals: false,
    afterwards: () => void order.push('afterwards'),
  });
  const [kept, busy, url] = [keptLine(), keptLine(), at('')];
  expect((await get(`${url}/readyz`, kept)).headers.connection).toBe('keep-alive');
  const slow = get(`${url}/slow`, busy);
  await once(http, 'request');
  const closing = app.close().then(() => order.push('closed'));
  await new Promise((resolve) => setImmediate(resolve));

  // It still serves everything.
  const leaving = await get(`${url}/readyz`, kept);
  expect([leaving.statusCode, leaving.text]).toEqual([503, '{"status":"leaving"}']);
  expect(leaving.headers.connection).toBe('close');
  const other = await get(`${url}/other`);
  expect([other.text, other.headers.connection]).toEqual(['done', 'close']);

  clock.advance(5_000);
  while (http.listening) await new Promise((resolve) => setImmediate(resolve));
  await expect(get(`${url}/other`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(order).toEqual([]);
  finish();
  const last = await slow;
  expect([last.text, last.headers.connection]).toEqual(['done', 'close']);
  await closing;
  expect(order).toEqual(['afterwards', 'closed']);
});

test('Closing twice is closing once, and the options are checked', async () => {
  const { server, http } = await startApp();
  const app = drainOnSignal([server], http, { drainDelay: 0, signals: false });
  await Promise.all([app.close(), app.close()]);
  expect(http.listening).toBe(false);
  expect(() => drainOnSignal(server, http, { drainDela: 5 } as never)).toThrow('drainDelay');
});

test('serveHttp ends each connection with its answer while it leaves', async () => {
  const clock = new ManualClock();
  const { server } = await createFixture({ ports: { clock } });
  const service = await serveHttp(server, { port: 0, signals: false, drainDelay: 5_000 });
  const { origin } = new URL(service.url);
  const kept = keptLine();
  expect((await get(`${origin}/healthz`, kept)).headers.connection).toBe('keep-alive');
  const closing = service.close();
  expect((await get(`${origin}/healthz`, kept)).headers.connection).toBe('close');
  clock.advance(5_000);
  await closing;
});
