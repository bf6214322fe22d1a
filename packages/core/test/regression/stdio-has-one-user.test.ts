import { RateLimit, type McpServer, type ServerOptions } from '@toolwright/core';
import type { Peer } from '@toolwright/core/transport';
import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let server: McpServer;

afterEach(() => server.close(0));

/** How many of 200 destructive calls, 5 points each, are carried out. */
async function carriedOut(
  transport: Peer['transport'],
  options: Partial<ServerOptions> = {},
  tool: object = {},
): Promise<number> {
  server = await boot({ services: [], ...options });
  let runs = 0;
  server.tools.add({
    name: 'write_file',
    annotations: { destructiveHint: true },
    ...tool,
    handler: () => `written ${++runs}`,
  });
  const wire = new StatelessWire(server, { principal: undefined, ip: undefined, transport });
  for (let index = 0; index < 200; index++) await wire.call('write_file');
  return runs;
}

test('over stdio there is no rate limit by default', async () => {
  expect(await carriedOut('stdio')).toBe(200);
});

test.each(['http', 'memory'] as const)('over %s the default limit applies', async (transport) => {
  expect(await carriedOut(transport)).toBe(120);
});

test('an option with a limit also applies over stdio', async () => {
  expect(await carriedOut('stdio', { rateLimit: { points: 50 } })).toBe(10);
});

test('other options of limits set no limit', async () => {
  expect(await carriedOut('stdio', { rateLimit: { anonymousByIp: true } })).toBe(200);
});

test('a decorator also applies over stdio', async () => {
  const policies = [RateLimit.entry({ points: 3, per: '1m', cost: 1 })];
  expect(await carriedOut('stdio', {}, { policies })).toBe(3);
});
