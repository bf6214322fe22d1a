import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { serveHttp, type HttpService } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { modern, send, type WireRequest } from './support/wire.js';

const services = closedAfterEach<HttpService>();

const withHeaders = (request: WireRequest, headers: Record<string, string>): WireRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

describe('DNS rebinding: bind x Host x Origin', () => {
  const names = { own: 'mcp.example.com', loopback: 'localhost', foreign: 'rebound.example' };
  const origins = { ...names, none: undefined };
  // A page may be anywhere; what it cannot do is make the browser lie about the name that it was found by.
  const binds = [
    { bind: 'loopback', options: {}, hosts: ['loopback'], from: ['loopback'] },
    { bind: 'loopback with names', options: { allowedHosts: [names.own] }, hosts: ['own'], from: ['own'] },
    {
      bind: 'every address with names',
      options: { host: '0.0.0.0', allowedHosts: [names.own] },
      hosts: ['own'],
      from: ['own'],
    },
    {
      bind: 'loopback with an origin',
      options: { allowedOrigins: [`https://${names.own}`] },
      hosts: ['loopback'],
      from: ['loopback', 'own'],
    },
  ];

  test.each(binds)('bound to $bind, only the named hosts pass', async ({ options, hosts, from }) => {
    const fixture = await createFixture();
    const service = await serveHttp(fixture.server, { port: 0, signals: false, ...options });
    services.push(service);
    const url = `http://127.0.0.1:${service.port}/mcp`;
    const passed: string[] = [];
    for (const [host, name] of Object.entries(names)) {
      for (const [origin, site] of Object.entries(origins)) {
        const request = withHeaders(modern('tools/list'), {
          host: name,
          ...(site && { origin: `https://${site}` }),
        });
        const { status } = await send(url, request);
        expect([200, 403]).toContain(status);
        if (status === 200) passed.push(`${host} ${origin}`);
      }
    }
    const expected = hosts.flatMap((host) => [...from, 'none'].map((origin) => `${host} ${origin}`));
    expect(passed.sort()).toEqual(expected.sort());
  });

  test('an address of IPv6 may have the brackets of a URL', async () => {
    const { server } = await createFixture();
    const started = await serveHttp(server, { port: 0, signals: false, host: '[::1]' }).then(
      (service) => {
        services.push(service);
        return new URL(service.url).hostname;
      },
      // A machine may have no IPv6.
      ({ code }: NodeJS.ErrnoException) => code,
    );
    expect(['[::1]', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']).toContain(started);
  });

  test.each(['0.0.0.0', '::', '192.0.2.1'])(
    'bound to %s without names, the server does not start',
    async (host) => {
      const { server } = await createFixture();
      await expect(serveHttp(server, { port: 0, signals: false, host })).rejects.toThrow('allowedHosts');
    },
  );
});
