import { getEventListeners } from 'node:events';
import {
  mcpFetch,
  oauthResourceServer,
  healthResponse,
  readyResponse,
  type McpFetchOptions,
} from '../src/index.js';
import { createFixture, type Fixture } from './support/fixture.js';
import { call, modern, type WireRequest } from './support/wire.js';

const url = 'http://localhost:3000/mcp';
let fixture: Fixture;
beforeEach(async () => (fixture = await createFixture()));
afterEach(() => fixture.server.close(0));

function asRequest({ headers = {}, body }: WireRequest, init: RequestInit & { url?: string } = {}): Request {
  const sent = { 'content-type': 'application/json', ...(headers as Record<string, string>) };
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  return new Request(init.url ?? url, {
    method: 'POST',
    headers: sent,
    ...(text && { body: text }),
    ...init,
  });
}

const textOf = async (response: Response) =>
  ((await response.json()) as { result: { content: { text: string }[] } }).result.content[0]!.text;

test('a request that a program makes has no Host: its URL says whom it asks', async () => {
  const handler = mcpFetch(fixture.server);
  expect(await textOf(await handler(asRequest(call('echo', { text: 'hi' }))))).toBe('hi');
  const foreign = await handler(asRequest(modern('tools/list'), { url: 'http://pages.example/mcp' }));
  expect([foreign.status, await foreign.text()]).toEqual([403, expect.stringContaining('allowedHosts')]);
  const named = mcpFetch(fixture.server, { allowedHosts: ['pages.example'] });
  expect((await named(asRequest(modern('tools/list'), { url: 'http://pages.example/mcp' }))).status).toBe(
    200,
  );
});

test('the Host header counts more than the URL', async () => {
  const { headers, body } = modern('tools/list');
  const handler = mcpFetch(fixture.server);
  const request = asRequest({ headers: { ...headers, host: 'pages.example' }, body });
  expect((await handler(request)).status).toBe(403);
});

describe('without allowed hosts, only this machine may ask', () => {
  const connections = {
    Deno: (address: string) => ({ remoteAddr: { transport: 'tcp', hostname: address, port: 1 } }),
    Bun: (address: string) => ({ requestIP: () => ({ address, port: 1, family: 'IPv4' }) }),
    '@hono/node-server': (address: string) => ({ incoming: { socket: { remoteAddress: address } } }),
  };
  test.each(Object.entries(connections))('as far as %s tells', async (_runtime, connection) => {
    const handler = mcpFetch(fixture.server);
    const ask = async (address: string) =>
      (await handler(asRequest(modern('tools/list')), connection(address))).status;
    expect([await ask('127.0.0.1'), await ask('::1'), await ask('192.0.2.1')]).toEqual([200, 200, 403]);
  });

  test('as far as clientAddress tells', async () => {
    const clientAddress = (request: Request) => request.headers.get('x-real-ip') ?? undefined;
    const handler = mcpFetch(fixture.server, { clientAddress });
    const { headers, body } = modern('tools/list');
    const ask = async (ip: string) =>
      (await handler(asRequest({ headers: { ...headers, 'x-real-ip': ip }, body }))).status;
    expect([await ask('127.0.0.1'), await ask('192.0.2.1')]).toEqual([200, 403]);
  });

  test.each<[string, McpFetchOptions, number]>([
    ['no address is known: the operator is told once', {}, 1],
    ['hosts are listed: nothing is told', { allowedHosts: ['localhost'] }, 0],
  ])('%s', async (_case, options, times) => {
    const warn = jest.fn();
    const { server } = await createFixture({ logger: { debug() {}, info() {}, warn, error() {} } });
    const handler = mcpFetch(server, options);
    warn.mockClear();
    for (const _ of [1, 2]) await handler(asRequest(modern('tools/list')));
    expect(warn).toHaveBeenCalledTimes(times);
  });
});

describe('bodies', () => {
  const streamed = (parts: Uint8Array[]) =>
    new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(modern('tools/list').headers as object) },
      body: new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      }),
      duplex: 'half',
    } as RequestInit);
  const bytes = new TextEncoder().encode(JSON.stringify(modern('tools/list').body));

  test('in parts are put together', async () => {
    const response = await mcpFetch(fixture.server)(streamed([bytes.slice(0, 30), bytes.slice(30)]));
    expect(response.status).toBe(200);
  });

  test('longer than allowed are refused without being read to their end', async () => {
    const handler = mcpFetch(fixture.server, { maxBodyBytes: 100 });
    let cancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(64).fill(32)),
      cancel: () => void (cancelled = true),
    });
    const request = streamed([]);
    const long = new Request(request, { body: endless, duplex: 'half' } as RequestInit);
    expect([(await handler(long)).status, cancelled]).toEqual([413, true]);
  });

  test.each([
    ['that say they are longer than allowed', { 'content-length': '101' }, '{}', 413],
    ['that are longer than they say', { 'content-length': '2' }, ' '.repeat(101), 413],
    ['that are compressed', { 'content-encoding': 'gzip' }, '{}', 415],
    ['of another type', { 'content-type': 'text/plain; a=application/json' }, '{}', 415],
    ['that are no JSON', {}, '{', 400],
    ['that are empty', {}, undefined, 400],
  ])('%s are refused', async (_case, headers, body, status) => {
    const handler = mcpFetch(fixture.server, { maxBodyBytes: 100 });
    expect((await handler(asRequest({ headers, body }))).status).toBe(status);
  });

  test('that are not UTF-8 are refused', async () => {
    const response = await mcpFetch(fixture.server)(streamed([new Uint8Array([0x22, 0xff, 0x22])]));
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('UTF-8')]);
  });
});

describe('a client that goes away', () => {
  test('cancels its call, which waits for JSON', async () => {
    const { server, gates } = fixture;
    const client = new AbortController();
    const answer = mcpFetch(server)(asRequest(call('hold', { gate: 'a' }), { signal: client.signal }));
    while (gates.entered.length === 0) await new Promise((resolve) => setImmediate(resolve));
    client.abort();
    expect((await answer).status).toBe(499);
    expect(gates.aborted).toEqual(['a']);
    expect(await server.drain()).toBe(true);
  });

  test('ends its subscription by cancelling the stream', async () => {
    const { server } = fixture;
    const response = await mcpFetch(server)(
      asRequest(modern('subscriptions/listen', { params: { notifications: { toolsListChanged: true } } })),
    );
    expect(server.protocol.load.subscriptions).toBe(1);
    await response.body!.cancel();
    expect(server.protocol.load.subscriptions).toBe(0);
  });

  test('costs nothing for a call that is answered at once: nobody listens to its signal', async () => {
    const { signal } = new AbortController();
    const request = asRequest(call('echo', { text: 'hi' }), { signal });
    await mcpFetch(fixture.server)(request);
    expect(getEventListeners(request.signal, 'abort')).toHaveLength(0);
  });

  test('reads too slowly: its stream is cut off, and what waited is gone', async () => {
    const { server } = fixture;
    server.tools.add({
      name: 'flood',
      description: 'Floods.',
      handler: (_args, context) => {
        for (let index = 1; index <= 100; index++) context.progress(index, 100, 'x'.repeat(100));
        return 'done';
      },
    });
    const request = asRequest(call('flood', {}, { meta: { progressToken: 'p' } }));
    const response = await mcpFetch(server, { maxUnreadBytes: 1_000 })(request);
    await expect(response.text()).rejects.toThrow('cut off');
  });
});

describe('a server that is made at the first request', () => {
  test('is made once, and tried again when it could not be made', async () => {
    let tries = 0;
    const handler = mcpFetch(() => {
      if (++tries === 1) throw new Error('not yet');
      return fixture.server;
    });
    await expect(handler(asRequest(modern('tools/list')))).rejects.toThrow('not yet');
    const both = [handler(asRequest(modern('tools/list'))), handler(asRequest(modern('tools/list')))];
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    expect(tries).toBe(2);
  });

  test('has its options checked at once', () => {
    expect(() => mcpFetch(() => fixture.server, { maxBodyBytes: -1 })).toThrow('maxBodyBytes');
  });
});

test('errors of the application stay in the log: the client learns only that something failed', async () => {
  const fail = () => Promise.reject(new Error('secret-canary'));
  const response = await mcpFetch(fixture.server, { authenticate: fail })(asRequest(modern('tools/list')));
  expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('canary')]);
});

test('a body that was read before is said to be so', async () => {
  const request = asRequest(modern('tools/list'));
  await request.text();
  const response = await mcpFetch(fixture.server)(request);
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('read before')]);
});

test('OAuth: the challenge names the metadata, and metadataResponse serves it', async () => {
  const resource = 'https://pages.example/mcp';
  const oauth = oauthResourceServer({ resource, issuers: ['https://login.example'] });
  const handler = mcpFetch(fixture.server, { oauth, allowedHosts: ['pages.example'] });
  const refused = await handler(asRequest(modern('tools/list'), { url: resource }));
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toContain(oauth.metadataUrl);
  const metadata = await oauth.metadataResponse(new Request(oauth.metadataUrl));
  expect(await metadata!.json()).toMatchObject({
    resource,
    authorization_servers: ['https://login.example'],
  });
  expect(metadata!.headers.get('access-control-allow-origin')).toBe('*');
  expect(oauth.metadataResponse(new Request(resource))).toBeUndefined();
});

test('health and readiness tell what mcpHealth and mcpReady tell', async () => {
  const { server } = fixture;
  const asked = new Request('http://localhost/healthz');
  expect(await (await healthResponse(server, asked)).json()).toEqual({ status: 'ok' });
  expect(await (await readyResponse(server, asked)).json()).toEqual({ status: 'ready' });
  const leaving = await readyResponse(server, asked, { isLeaving: true });
  expect([leaving.status, await leaving.json()]).toEqual([503, { status: 'leaving' }]);
  await server.drain();
  expect((await healthResponse(server, asked)).status).toBe(503);
});

test('browsers: pages of listed origins may ask and read, others may not', async () => {
  const handler = mcpFetch(fixture.server, { allowedOrigins: ['https://app.example'] });
  const preflight = (origin: string) =>
    handler(
      new Request(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } }),
    );
  const listed = await preflight('https://app.example');
  expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([
    204,
    'https://app.example',
  ]);
  expect((await preflight('https://evil.example')).status).toBe(403);
});
