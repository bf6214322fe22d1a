import { request } from 'node:http';
import { serveHttp } from '../../src/index.js';
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
const ask = async (target: string, headers: Record<string, string> = {}) => {
  const message = modern('tools/list');
  const sent = request(service.url, {
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

test('a target that cannot be read is not found', async () => {
  expect(await ask('http://[/mcp')).toBe(404);
  expect(await ask('ftp://127.0.0.1/mcp')).toBe(404);
});
