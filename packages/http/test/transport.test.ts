import { connect } from 'node:net';
import { request } from 'node:http';
import { until } from '../../../.ci/test/support/until.js';
import { serveHttp, type McpHttpOptions } from '../src/index.js';
import { createFixture, type Fixture } from './support/fixture.js';
import { servedUntilAfterEach } from './support/serve-fixture.js';
import { call, modern, send } from './support/wire.js';

let fixture: Fixture;
const start = servedUntilAfterEach();
beforeAll(async () => {
  fixture = await createFixture();
});

const serve = async (options: McpHttpOptions = {}, own?: Fixture) =>
  start(own ?? (await createFixture()), options);

const hello = modern('tools/list');
const withHeaders = (headers: Record<string, string | undefined>) => ({
  ...hello,
  headers: { ...hello.headers, ...headers },
});

test.each([
  ['localhost', 200],
  ['localhost:3000', 200],
  ['LOCALHOST', 200],
  ['127.0.0.1:80', 200],
  ['[::1]:80', 200],
  ['evil.example', 403],
  ['127.0.0.1.evil.example', 403],
  ['localhost@evil.example', 403],
  ['localhost:80:80', 403],
])('H2 the Host %s is answered with %d on a local bind', async (host, status) => {
  const { url } = await serve();
  const answer = await send(url, withHeaders({ host }));
  expect(answer.status).toBe(status);
  if (status === 403) expect(answer.json.error.message).toContain('allowedHosts');
});

test.each([
  ['http://localhost:5173', 200],
  ['http://127.0.0.1', 200],
  ['https://evil.example', 403],
  ['http://localhost.evil.example', 403],
  ['null', 403],
  ['http://localhost@evil.example', 403],
  ['https://app.example.com', 200],
])('H2 the Origin %s is answered with %d', async (origin, status) => {
  const { url } = await serve({ allowedOrigins: ['https://app.example.com'] });
  const answer = await send(url, withHeaders({ origin }));
  expect(answer.status).toBe(status);
  if (status === 403)
    expect(answer.json).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: expect.any(String) } });
});

test('H2 another Origin is refused on every method, before anything else', async () => {
  const { url } = await serve();
  for (const method of ['GET', 'DELETE', 'OPTIONS', 'PUT', 'POST']) {
    const answer = await send(url, {
      method,
      headers: { origin: 'https://evil.example', 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(403);
  }
});

test('the error for a port in use names it', async () => {
  const { server } = await createFixture();
  const first = await serveHttp(server, { port: 0, signals: false });
  await expect(serveHttp(server, { port: first.port, signals: false })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: `Port ${first.port} of 127.0.0.1 is taken: end what listens there, or choose another (0: any that is free).`,
  });
  await first.close();
});

test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])(
  'H21 %s is answered with 405 and what is allowed',
  async (method) => {
    const { url } = await serve();
    const answer = await send(url, { method, headers: { 'mcp-protocol-version': '2026-07-28' } });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toContain('POST');
  },
);

test.each([
  'text/plain',
  'text/plain; a=application/json',
  'application/jsonp',
  'application/x-www-form-urlencoded',
  undefined,
])('H23 the Content-Type %s is answered with 415', async (type) => {
  const { url } = await serve();
  expect((await send(url, withHeaders({ 'content-type': type }))).status).toBe(415);
});

test('H23 a compressed body is refused', async () => {
  const { url } = await serve();
  expect((await send(url, withHeaders({ 'content-encoding': 'gzip' }))).status).toBe(415);
});

test('H24 a preflight allows the protocol headers, mirrored ones too', async () => {
  const { url } = await serve({ allowedOrigins: ['http://localhost:5173'] });
  const answer = await send(url, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, mcp-param-region, x-evil',
    },
  });
  expect(answer.status).toBe(204);
  expect(answer.headers['access-control-allow-origin']).toBe('http://localhost:5173');
  const allowed = answer.headers['access-control-allow-headers'];
  for (const name of [
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
    'authorization',
    'last-event-id',
    'mcp-param-region',
  ]) {
    expect(allowed).toContain(name);
  }
  expect(allowed).not.toContain('x-evil');
  const read = await send(url, withHeaders({ origin: 'http://localhost:5173' }));
  expect(read.headers['access-control-expose-headers']).toContain('mcp-session-id');
});

test('H20 a client that goes away cancels its call, whether it waits for JSON or for a stream', async () => {
  const own = await createFixture();
  const { url } = await serve({}, own);
  const { headers, body } = call('hold', { gate: 'gone' });
  const req = request(url, {
    method: 'POST',
    headers: { ...(headers as object), 'content-type': 'application/json' },
  });
  req.on('error', () => undefined);
  req.end(JSON.stringify(body));
  await until(() => own.gates.entered.includes('gone'));
  req.destroy();
  await until(() => own.gates.aborted.includes('gone'));
});

test('draining finishes running calls, refuses new ones with 503 and ends listen streams with their result', async () => {
  const own = await createFixture();
  const { url } = await serve({}, own);
  const held = send(url, call('hold', { gate: 'last' }));
  const listening = send(
    url,
    modern('subscriptions/listen', { id: 'l', params: { notifications: { toolsListChanged: true } } }),
  );
  await until(() => own.gates.entered.includes('last') && own.server.protocol.load.subscriptions > 0);
  const drained = own.server.drain();
  const late = await send(url, call('echo', { text: 'x' }));
  expect(late.status).toBe(503);
  expect(late.headers['retry-after']).toBeDefined();
  expect(late.json).toMatchObject({ id: 1, error: { data: { retryAfterMs: expect.any(Number) } } });
  own.gates.open('last');
  expect((await held).json.result.content[0].text).toBe('through last');
  expect((await listening).events.at(-1)).toMatchObject({ id: 'l', result: { resultType: 'complete' } });
  await expect(drained).resolves.toBe(true);
});

test('a challenge of the authenticate step is sent unchanged, before the body is read', async () => {
  const challenge = {
    status: 401,
    headers: { 'WWW-Authenticate': 'Bearer realm="x"' },
    message: 'Unauthorized',
  };
  const { url } = await serve({ authenticate: () => ({ challenge }) });
  const answer = await send(url, { ...hello, body: '{' });
  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']).toBe('Bearer realm="x"');
});

test('the option `principal` identifies the caller', async () => {
  const { url } = await serve({ principal: () => ({ subject: 'ada', scopes: [] }) });
  expect((await send(url, call('whoami'))).json.result.content[0].text).toBe('ada');
});

test('if the authenticate step fails, the answer does not contain its reason', async () => {
  const { url } = await serve({ authenticate: () => Promise.reject(new Error('secret-canary')) });
  const answer = await send(url, hello);
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain('secret-canary');
});

test('a request that ends in the middle of its body does no harm', async () => {
  const { url, port } = await serve();
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  socket.destroy();
  expect((await send(url, hello)).status).toBe(200);
});

test('other paths are not found', async () => {
  const { url } = await serve();
  expect((await send(url, { ...hello, path: '/other' })).status).toBe(404);
});
