import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { mcpHttp, serveHttp } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';
import { modern, send } from '../support/wire.js';

let service: Awaited<ReturnType<typeof serveHttp>>;
let origin: string;
beforeAll(async () => {
  const { server } = await createFixture();
  service = await serveHttp(server, { port: 0, signals: false });
  ({ origin } = new URL(service.url));
});
afterAll(() => service.close());

/** `path` is what the first line of the request has. */
const ask = async (target: string, headers: Record<string, string> = {}, at = service.url) => {
  const message = modern('tools/list');
  const sent = request(at, {
    method: 'POST',
    path: target,
    headers: {
      'content-type': 'application/json',
      ...(message.headers as Record<string, string>),
      ...headers,
    },
  });
  sent.end(JSON.stringify(message.body));
  return new Promise<number>((resolve, reject) => {
    sent.once('response', (response) => resolve(response.resume().statusCode!)).once('error', reject);
  });
};

// RFC 9112, section 3.2.2: a server accepts the absolute form, although only proxies are asked with it.
test('a whole URL as the target of a request is served', async () => {
  expect(await ask(`${origin}/mcp`)).toBe(200);
  expect(await ask(`${origin.toUpperCase()}/mcp?x=1`)).toBe(200);
  expect(await ask(`${origin}/other`)).toBe(404);
  expect((await send(service.url, modern('tools/list'))).status).toBe(200);
});

test('its host counts, whatever the header says', async () => {
  expect(await ask('http://evil.example/mcp')).toBe(403);
  expect(await ask('http://evil.example/mcp', { host: '127.0.0.1' })).toBe(403);
  expect(await ask(`${origin}/mcp`, { host: 'evil.example' })).toBe(200);
});

test('its host counts wherever the endpoint is mounted', async () => {
  const { server } = await createFixture();
  const http = createServer(mcpHttp(server)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const at = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  expect(await ask(`${at}/mcp`, {}, at)).toBe(200);
  expect(await ask('http://evil.example/mcp', {}, at)).toBe(403);
  expect(await ask(`${at}/mcp`, { host: 'evil.example' }, at)).toBe(200);
  http.closeAllConnections();
  http.close();
});

test('a target that cannot be read is not found', async () => {
  expect(await ask('http://[/mcp')).toBe(404);
  expect(await ask('ftp://127.0.0.1/mcp')).toBe(404);
});

// The other spellings of the same path are paths of their own: no part of the server takes them for the endpoint.
test.each([
  ['/mcp/', 200],
  ['/mcp?a=/other', 200],
  ['/MCP', 404],
  ['//mcp', 404],
  ['/%6dcp', 404],
  ['/mcp;v=1', 404],
  ['/./mcp', 404],
  ['/x/../mcp', 404],
  ['/mcp%2f', 404],
  ['/mcp//', 404],
  ['\\mcp', 400],
])('the target %s is answered with %i', async (target, status) => {
  expect(await ask(target)).toBe(status);
});

test.each([
  ['LOCALHOST', 200],
  ['localhost:99', 200],
  ['localhost.', 403],
  ['localhost.evil.example', 403],
  ['localhost@evil.example', 403],
  ['localhost#', 403],
  ['localhost/evil', 403],
  ['localhost, evil.example', 403],
  [' ', 403],
])('the host %j is answered with %i', async (host, status) => {
  expect(await ask('/mcp', { host })).toBe(status);
});

/** Sends the head of a request as it is, and reads until the server closes the connection. */
async function sendRaw(head: readonly string[]): Promise<string> {
  const socket = connect(service.port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.write([...head, '', ''].join('\r\n'));
  await once(socket, 'close');
  return text.split('\r\n', 1)[0]!;
}

test('a header cannot change the method, and tunnels and other protocols are not opened', async () => {
  const own = ['Host: localhost', 'Connection: close'];
  const override = ['X-HTTP-Method-Override: POST', 'X-Method-Override: POST'];
  const plain = await sendRaw(['GET /mcp HTTP/1.1', ...own]);
  expect(plain).toMatch(/ 40[56] /);
  expect(await sendRaw(['GET /mcp?_method=POST HTTP/1.1', ...own, ...override])).toBe(plain);
  expect(await sendRaw(['get /mcp HTTP/1.1', ...own])).toMatch(/ 400 /);
  expect(await sendRaw(['CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443'])).not.toMatch(
    / 2\d\d /,
  );
  const upgrade = ['Host: localhost', 'Connection: Upgrade, close', 'Upgrade: websocket'];
  expect(await sendRaw(['GET /mcp HTTP/1.1', ...upgrade])).not.toMatch(/ 101 /);
  expect(
    await sendRaw(['POST /mcp HTTP/1.1', 'Host: localhost', 'Host: evil.example', 'Connection: close']),
  ).toMatch(/ 40[03] /);
});
