import type { Express } from 'express';
import { createFixture } from '../../http/test/support/fixture.js';
import { call, send } from '../../http/test/support/wire.js';
import { mcpExpress } from '../src/index.js';
import { closeApps, serveApp, versions } from './support/served-app.js';

afterEach(closeApps);

type Options = Parameters<typeof mcpExpress>[1];

/** The address that the server sees for a call that a proxy forwards for another address. */
async function seenBehind(
  mount: (handler: ReturnType<typeof mcpExpress>) => Express,
  { forwarded = '192.0.2.7', options }: { forwarded?: string; options?: Options } = {},
): Promise<unknown> {
  const seen: unknown[] = [];
  const { server } = await createFixture({
    middleware: [
      ({ request }, next) => {
        seen.push(request.ip);
        return next();
      },
    ],
  });
  const url = await serveApp(mount(mcpExpress(server, options)));
  const message = call('echo', { text: 'x' });
  const headers = { ...message.headers, 'x-forwarded-for': forwarded };
  const { status } = await send(url, { ...message, path: '/mcp', headers });
  return [status, ...seen];
}

describe.each(versions)('in %s', (_name, express) => {
  test('an app inside another app that trusts its proxy uses the forwarded address', async () => {
    const outer = express().set('trust proxy', 'loopback');
    expect(await seenBehind((handler) => outer.use(express().use('/mcp', handler)))).toEqual([
      200,
      '192.0.2.7',
    ]);
  });

  test.each([
    ['203.0.113.7:4001', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['[2001:DB8::7]:443', '2001:db8:0:0:0:0:0:7'],
  ])('an address that the proxy writes as %s is %s', async (forwarded, seen) => {
    const app = express().set('trust proxy', 1);
    expect(await seenBehind((handler) => app.use('/mcp', handler), { forwarded })).toEqual([200, seen]);
  });

  test('a text that is not an address is left out, and the operator hears of it once', async () => {
    const app = express().set('trust proxy', 1);
    const warned: string[] = [];
    const logger = {
      debug() {},
      info() {},
      error() {},
      warn: (_: object, text: string) => warned.push(text),
    };
    const { server } = await createFixture({ logger });
    const url = await serveApp(app.use('/mcp', mcpExpress(server)));
    for (const forwarded of ['unknown', '_hidden', 'unknown']) {
      const message = call('echo', { text: 'x' });
      const headers = { ...message.headers, 'x-forwarded-for': forwarded };
      expect((await send(url, { ...message, path: '/mcp', headers })).status).toBe(200);
    }
    expect(warned).toEqual([expect.stringContaining('The address of a caller cannot be read')]);
  });

  test('the option `ip` comes first', async () => {
    const app = express().set('trust proxy', 'loopback');
    const seen = await seenBehind((handler) => app.use('/mcp', handler), {
      options: { ip: () => '198.51.100.1' },
    });
    expect(seen).toEqual([200, '198.51.100.1']);
  });
});
