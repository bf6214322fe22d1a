import type { McpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { boot } from '../../core/test/support/booting.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { shopTools } from './support/shop-tools.js';

let server: McpServer;
afterEach(() => server.close(0));

/** A model that knows two meanings: money back, and everything else. */
const meaningOf = (text: string) => (/refund|took it twice/i.test(text) ? [1, 0] : [0, 1]);

async function start(embed: (texts: readonly string[]) => Promise<number[][]>, warnings: string[] = []) {
  const logger = { ...silentLogger, warn: (_: object, message: string) => void warnings.push(message) };
  server = await boot({ services: [], toolSearch: { embed }, logger } as never);
  server.tools.add(shopTools);
  const wire = new StatelessWire(server);
  return async (query: string) =>
    (await wire.call('search_tools', { query })).result.structuredContent.tools.map(
      ({ name }: { name: string }) => name,
    ) as string[];
}

test('A model of the application finds what shares no word with the tool', async () => {
  const asked: number[] = [];
  const search = await start(async (texts) => {
    asked.push(texts.length);
    return texts.map(meaningOf);
  });
  expect((await search('they took it twice'))[0]).toBe('refund_order');
  expect((await search('list customers'))[0]).toBe('list_customers');
  // The tools that the caller sees, then each query.
  expect(asked).toEqual([6, 1, 1]);
});

test.each([
  ['throws', () => Promise.reject(new Error('away'))],
  ['returns too few vectors', () => Promise.resolve([])],
  [
    'returns vectors of several lengths',
    (texts: readonly string[]) =>
      Promise.resolve(texts.map((text) => (text === 'refund order' ? [1] : [1, 0]))),
  ],
])('Words alone decide when the model %s, and the log says it once', async (_, embed) => {
  const warnings: string[] = [];
  const search = await start(embed as never, warnings);
  expect((await search('refund order'))[0]).toBe('refund_order');
  expect((await search('refund order'))[0]).toBe('refund_order');
  expect(warnings.filter((each) => each.includes('embed'))).toHaveLength(1);
});
