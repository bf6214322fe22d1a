import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { mcpExpress } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { call, send } from './support/wire.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The address that the pipeline sees of a call that a proxy says to forward for 192.0.2.7. */
async function seenBehind(mount: (handler: ReturnType<typeof mcpExpress>) => Express): Promise<unknown> {
  const seen: unknown[] = [];
  const { server } = await createFixture({
    middleware: [
      ({ request }, next) => {
        seen.push(request.ip);
        return next();
      },
    ],
  });
  const http = createServer(mount(mcpExpress(server)));
  servers.push(http);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const message = call('echo', { text: 'x' });
  const headers = { ...message.headers, 'x-forwarded-for': '192.0.2.7' };
  const { status } = await send(`http://127.0.0.1:${port}/mcp`, { ...message, headers });
  return [status, ...seen];
}

test('an Express app that trusts no proxy takes the address of the connection', async () => {
  expect(await seenBehind((handler) => express().use('/mcp', handler))).toEqual([200, '127.0.0.1']);
});

test('an Express app that trusts its proxy takes the address that this one forwards', async () => {
  const app = express().set('trust proxy', 'loopback');
  expect(await seenBehind((handler) => app.use('/mcp', handler))).toEqual([200, '192.0.2.7']);
});

test('an app inside another that trusts its proxy does so too', async () => {
  const outer = express().set('trust proxy', 'loopback');
  expect(await seenBehind((handler) => outer.use(express().use('/mcp', handler)))).toEqual([
    200,
    '192.0.2.7',
  ]);
});
