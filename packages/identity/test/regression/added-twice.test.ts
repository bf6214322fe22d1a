import { createMcpServer, type McpServer } from '@toolwright/core';
import { extend } from '@toolwright/core/extend';
import { serveTransfers } from '@toolwright/http/transfers';
import { StatelessWire } from '../../../core/test/wire/stateless-wire.js';
import { externalDecision } from '../../src/decisions.js';
import { measureTenants, openTokenExchange } from '../../src/index.js';

// What has settings of its own is refused the second time: the server would go on with the first settings, and say nothing.

const quiet = () => undefined;
let server: McpServer;
beforeEach(async () => {
  server = await createMcpServer({
    name: 'desk',
    version: '1',
    services: [],
    rateLimit: false,
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
});
afterEach(() => server.close(0));

const engine = (allow: boolean) => externalDecision({ decide: () => ({ allow }) });

test('a second policy engine is refused, because nobody would ask it', async () => {
  server.tools.add({ name: 'refund', description: 'Refunds.', handler: () => 'done' });
  const first = engine(true);
  await extend(server, first);
  await expect(extend(server, engine(false))).rejects.toMatchObject({
    problems: [{ code: 'TW_EXTENSION_INVALID', message: expect.stringContaining('a second time') as string }],
  });
  await expect(extend(server, first)).resolves.toBeDefined();
  const { result } = await StatelessWire.of(server, 'ann').call('refund');
  expect(result.content[0].text).toBe('done');
});

test('so are transfers with other settings, other figures of tenants, and another exchange of tokens', async () => {
  const transfers = () =>
    serveTransfers(server, { url: 'https://a.example.com/files', send: () => undefined });
  const exchange = () => extend(server, openTokenExchange({}).extension);
  for (const add of [transfers, () => measureTenants(server), exchange]) {
    await add();
    await expect(add()).rejects.toThrow('a second time');
  }
});
