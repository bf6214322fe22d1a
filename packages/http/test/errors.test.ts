import type { IncomingMessage } from 'node:http';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mcpHttp } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { call, send } from './support/wire.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(listener: RequestListener): Promise<string> {
  const http = createServer(listener);
  servers.push(http);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
}

const failures: [string, () => never | Promise<never>][] = [
  ['throws', () => fail()],
  ['rejects', () => Promise.reject(new Error('secret-canary'))],
];
const fail = (): never => {
  throw new Error('secret-canary');
};

test.each(failures)(
  'without a framework, an "authenticate" that %s gets an answer without its reason',
  async (_how, authenticate) => {
    const { server } = await createFixture();
    const answer = await send(await listen(mcpHttp(server, { authenticate })), call('whoami'));
    expect([answer.status, answer.json]).toEqual([
      500,
      { jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' } },
    ]);
  },
);

test.each(failures)(
  'with a framework, `next` gets the error of an "authenticate" that %s',
  async (_how, authenticate) => {
    const { server } = await createFixture();
    const endpoint = mcpHttp(server, { authenticate });
    const url = await listen((req, res) =>
      endpoint(req, res, (error) => res.writeHead(418).end((error as Error).message)),
    );
    const answer = await send(url, call('whoami'));
    expect([answer.status, answer.text]).toEqual([418, 'secret-canary']);
  },
);

test('an `ip` that throws ends neither the process nor other answers', async () => {
  const { server } = await createFixture();
  const url = await listen(mcpHttp(server, { ip: fail }));
  const foreign = { ...call('whoami'), headers: { host: 'evil.example' } };
  const answer = await send(url, foreign);
  expect([answer.status, answer.text.includes('secret-canary')]).toEqual([500, false]);
});

test('limits and records use the address of `ip`', async () => {
  const seen: unknown[] = [];
  const { server } = await createFixture({
    middleware: [
      ({ request }, next) => {
        seen.push(request.ip);
        return next();
      },
    ],
  });
  const ip = jest.fn(({ headers }: IncomingMessage) => headers['x-real-ip'] as string);
  const url = await listen(mcpHttp(server, { ip }));
  const { headers, body } = call('whoami');
  await send(url, { body, headers: { ...headers, 'x-real-ip': '192.0.2.7' } });
  expect(seen).toEqual(['192.0.2.7']);
  expect(ip).toHaveBeenCalledTimes(1);
});
