import type { McpServer } from '@toolwright/core';
import type { McpHttpOptions } from '../../src/index.js';
import { createFixture } from './fixture.js';
import { call, modern, send } from './wire.js';

/** An error of an application. Its handler answers it with 418 and `{ mine: message }`. */
export class NotSignedIn extends Error {}

/** An app of a framework with an endpoint. */
export interface MountedApp {
  readonly server: McpServer;
  /** The path above `/mcp`. */
  readonly prefix: string;
  readonly options: Pick<McpHttpOptions, 'allowedOrigins' | 'landing'> & { principal?: () => Promise<never> };
  /** It trusts a proxy on this machine. */
  readonly trustsProxy: boolean;
  /** Its handler of errors adds what reaches it. */
  readonly caught: unknown[];
}

const failures: [string, () => Promise<never>][] = [
  [
    'throws',
    () => {
      throw new NotSignedIn('Sign in');
    },
  ],
  ['rejects', () => Promise.reject(new NotSignedIn('Sign in'))],
];

/**
 * What every mount in an app does, whatever the framework is.
 *
 * @param serve starts an app, and returns the URL of its root
 */
export function describeMount(name: string, serve: (app: MountedApp) => Promise<string>): void {
  const start = async (app: Partial<MountedApp> = {}) => {
    const server = app.server ?? (await createFixture()).server;
    return serve({ prefix: '', options: {}, trustsProxy: false, caught: [], ...app, server });
  };
  const browse = (url: string, path: string) =>
    send(url, { method: 'GET', path, headers: { accept: 'text/html' } });

  describe(`the mount in ${name}`, () => {
    test('a browser gets a page with the whole path, unless there is none', async () => {
      const url = await start({ prefix: '/api' });
      const { status, headers, text } = await browse(url, '/api/mcp');
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toContain(`<pre><code>${url}/api/mcp</code></pre>`);
      expect((await browse(await start({ options: { landing: false } }), '/mcp')).status).toBe(405);
    });

    test('a query belongs to the endpoint, and every other path to the app', async () => {
      const url = await start({ prefix: '/api' });
      const statusOf = async (path: string) => (await send(url, { ...modern('tools/list'), path })).status;
      expect([await statusOf('/api/mcp'), await statusOf('/api/mcp?tenant=1')]).toEqual([200, 200]);
      expect([await statusOf('/mcp'), await statusOf('/api/mcp/below')]).toEqual([404, 404]);
    });

    test('a whole URL may be the target, and its host counts', async () => {
      const url = await start();
      const statusFor = async (host: string) =>
        (await send(url, { ...modern('tools/list'), target: `http://${host}/mcp` })).status;
      expect([await statusFor(new URL(url).host), await statusFor('evil.example')]).toEqual([200, 403]);
    });

    test('other methods are answered by the endpoint', async () => {
      const url = await start({ options: { allowedOrigins: ['https://app.example.com'] } });
      const headers = { 'content-type': undefined };
      const refused = await send(url, { method: 'PUT', path: '/mcp', headers });
      expect([refused.status, refused.headers.allow]).toEqual([405, 'POST, GET, DELETE']);
      const asked = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
      const preflight = await send(url, {
        method: 'OPTIONS',
        path: '/mcp',
        headers: { ...headers, ...asked },
      });
      expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([
        204,
        asked.origin,
      ]);
    });

    test.each(failures)('the error of a "principal" that %s goes to the app', async (_how, principal) => {
      const caught: unknown[] = [];
      const url = await start({ options: { principal }, caught });
      const answer = await send(url, { ...call('whoami'), path: '/mcp' });
      expect([answer.status, answer.json]).toEqual([418, { mine: 'Sign in' }]);
      expect(caught).toEqual([expect.any(NotSignedIn)]);
    });

    test('our refusals are answers of the protocol, not errors', async () => {
      const caught: unknown[] = [];
      const message = call('whoami');
      const headers = { ...message.headers, host: 'evil.example' };
      const answer = await send(await start({ caught }), { ...message, path: '/mcp', headers });
      expect([answer.status, answer.json.error.code, caught]).toEqual([403, -32600, []]);
    });

    test.each([
      ['that trusts no proxy uses the address of the connection', false, '192.0.2.7', '127.0.0.1'],
      ['that trusts its proxy uses the forwarded address', true, '192.0.2.7', '192.0.2.7'],
      ['takes no address of the caller itself', true, '198.51.100.1, 192.0.2.66', '192.0.2.66'],
    ])('an app %s', async (_what, trustsProxy, forwarded, expected) => {
      const seen: unknown[] = [];
      const { server } = await createFixture({
        middleware: [({ request }, next) => (seen.push(request.ip), next())],
      });
      const message = call('whoami');
      const headers = { ...message.headers, 'x-forwarded-for': forwarded };
      const { status } = await send(await start({ server, trustsProxy }), {
        ...message,
        path: '/mcp',
        headers,
      });
      expect([status, ...seen]).toEqual([200, expected]);
    });
  });
}
