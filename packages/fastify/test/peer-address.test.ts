import type { FastifyServerOptions } from 'fastify';
import { createFixture } from '../../http/test/support/fixture.js';
import { call, send } from '../../http/test/support/wire.js';
import { mcpFastify } from '../src/index.js';
import { closeApps, createApp, serveApp } from './support/apps.js';

afterEach(closeApps);

/** The address that the server sees for a call that a proxy forwards for another address. */
async function seenBehind(options: FastifyServerOptions, forwarded: string): Promise<unknown> {
  const seen: unknown[] = [];
  const { server } = await createFixture({
    middleware: [
      ({ request }, next) => {
        seen.push(request.ip);
        return next();
      },
    ],
  });
  const app = createApp(options);
  app.register(mcpFastify, { server });
  const message = call('echo', { text: 'x' });
  const headers = { ...message.headers, 'x-forwarded-for': forwarded };
  const { status } = await send(await serveApp(app), { ...message, path: '/mcp', headers });
  return [status, ...seen];
}

test('an app that trusts no proxy uses the address of the connection', async () => {
  expect(await seenBehind({}, '192.0.2.7')).toEqual([200, '127.0.0.1']);
});

test('an app that trusts its proxy uses the forwarded address', async () => {
  expect(await seenBehind({ trustProxy: 'loopback' }, '192.0.2.7')).toEqual([200, '192.0.2.7']);
});

test('an address from the caller itself does not count', async () => {
  const forwarded = '198.51.100.1, 192.0.2.66';
  expect(await seenBehind({ trustProxy: 'loopback' }, forwarded)).toEqual([200, '192.0.2.66']);
});
