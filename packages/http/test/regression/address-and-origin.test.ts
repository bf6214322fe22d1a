import { createServer, request, type Server } from 'node:http';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { mcpHttp, type McpHttpOptions } from '../../src/index.js';
import { createMcpServer } from '@toolwright/core';
import { AddressGuard } from '../../src/endpoint/open-endpoint.js';
import { createFixture } from '../support/fixture.js';
import { modern, send, type WireRequest } from '../support/wire.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(options: McpHttpOptions = {}): Promise<string> {
  const { server } = await createFixture();
  const endpoint = mcpHttp(server, options);
  const http = createServer((req, res) => {
    res.setHeader('Vary', 'Accept-Encoding');
    endpoint(req, res);
  });
  servers.push(http);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

const withHeaders = (message: WireRequest, headers: Record<string, string>): WireRequest => ({
  ...message,
  headers: { ...message.headers, ...headers },
});
const fromOrigin = (origin: string) => withHeaders(modern('tools/list'), { origin });
const preflight = (origin: string): WireRequest => ({
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  },
});

describe('without allowed hosts, only this machine may send requests', () => {
  const findProblem = (remoteAddress: string | undefined, allowedHosts?: string[]) =>
    new AddressGuard({ allowedHosts, allowedOrigins: [] }).findProblem({
      address: remoteAddress,
      header: (name) => (name === 'host' ? 'localhost:3000' : undefined),
    });

  test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1', undefined])(
    'which is %s',
    (address) => {
      expect(findProblem(address)).toBeUndefined();
    },
  );

  test.each([
    '192.0.2.1',
    '172.17.0.1',
    '::ffff:192.0.2.1',
    '2001:db8::1',
    'fe80::1',
    '1.127.0.0',
    '::ffff:1.127.0.1',
  ])('but not %s, whatever its Host header is: the refusal names the option', (address) => {
    expect(findProblem(address)?.message).toContain('"allowedHosts"');
    expect(findProblem(address, ['localhost'])).toBeUndefined();
  });

  test('a Unix socket belongs to this machine', async () => {
    const folder = temporaryFolder();
    const { server } = await createFixture();
    const http = createServer(mcpHttp(server));
    servers.push(http);
    const socketPath = join(folder, 'socket');
    await new Promise<void>((resolve) => http.listen(socketPath, resolve));
    const { headers, body } = modern('tools/list');
    const status = await new Promise<number>((resolve, reject) => {
      const sent = { ...(headers as Record<string, string>), 'content-type': 'application/json' };
      const req = request(
        { socketPath, path: '/', method: 'POST', headers: { ...sent, host: 'localhost' } },
        (res) => {
          res.resume();
          resolve(res.statusCode!);
        },
      );
      req.on('error', reject).end(JSON.stringify(body));
    });
    expect(status).toBe(200);
  });
});

describe('only pages of listed origins may read', () => {
  const listed = 'https://app.example.com';
  const unlisted = ['http://localhost:5173', 'http://127.0.0.1:8080', 'https://localhost', 'http://[::1]:1'];

  test.each(unlisted)('not those of %s, although they are on this machine', async (origin) => {
    for (const options of [{}, { allowedOrigins: [listed] }]) {
      const url = await serve(options);
      for (const message of [fromOrigin(origin), preflight(origin)]) {
        const { headers } = await send(url, message);
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(headers.vary).toContain('Origin');
      }
    }
  });

  test('not those of another port or scheme of an allowed host', async () => {
    const url = await serve({ allowedHosts: ['127.0.0.1', 'api.example.com'], allowedOrigins: [listed] });
    for (const origin of ['https://api.example.com', 'http://api.example.com:81', 'http://127.0.0.1:1']) {
      for (const message of [fromOrigin(origin), preflight(origin)])
        expect((await send(url, message)).headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  test.each([
    'https://evil.example',
    'null',
    'https://app.example.com.evil.example',
    'https://app.example.com:8443',
  ])('not those of %s, which are refused', async (origin) => {
    const url = await serve({ allowedOrigins: [listed] });
    for (const message of [fromOrigin(origin), preflight(origin)]) {
      const { status, headers } = await send(url, message);
      expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined]);
    }
  });

  test("those of the list, without their cookies, and the application's own Vary header stays", async () => {
    const url = await serve({ allowedOrigins: [`${listed}/`] });
    const answer = await send(url, fromOrigin(listed));
    expect(answer.headers['access-control-allow-origin']).toBe(listed);
    expect(answer.headers.vary).toBe('Accept-Encoding, Origin');
    const asked = await send(url, preflight(listed));
    expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, listed]);
    for (const { headers } of [answer, asked])
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

test('each kind of refused address is logged once, with the name and the option', async () => {
  const said: [object, string][] = [];
  const logger = {
    debug() {},
    info() {},
    error() {},
    warn: (...line: [object, string]) => void said.push(line),
  };
  const server = await createMcpServer({ name: 'named', version: '1', services: [], logger });
  const http = createServer(mcpHttp(server));
  servers.push(http);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const ask = (headers: Record<string, string>) => send(url, withHeaders(modern('tools/list'), headers));
  for (const host of ['mcp.example.com', 'other.example.com']) expect((await ask({ host })).status).toBe(403);
  for (const origin of ['https://a.example', 'https://b.example'])
    expect((await ask({ origin })).status).toBe(403);
  expect(said).toEqual([
    [{ host: 'mcp.example.com', address: '127.0.0.1' }, expect.stringContaining('"allowedHosts"')],
    [
      { host: expect.stringMatching(/^127\.0\.0\.1:/), origin: 'https://a.example', address: '127.0.0.1' },
      expect.stringContaining('"allowedOrigins"'),
    ],
  ]);
  await server.close(0);
});
