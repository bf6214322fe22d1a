import type { McpServer } from '@toolwright/core';
import { Inside } from '../src/index.js';
import { shopServer } from './support/shop-server.js';

let server: McpServer;
afterEach(() => server.close(0));

const start = async (options: object = { toolSearch: true }) => {
  server = await shopServer(options);
  const inside = new Inside(() => undefined);
  inside.add(server);
  return (query: string, scopes?: readonly string[]) =>
    inside.ask('searchTools', { server: 'shop', query, ...(scopes && { as: { subject: 'ann', scopes } }) });
};

test('a query shows what it finds, with the words that found it and those that did not', async () => {
  const search = await start();
  expect(await search('fetch order quickly')).toEqual({
    found: [
      {
        name: 'get_order',
        description: 'Get an order.',
        category: 'orders',
        score: expect.any(Number),
        matches: [
          { said: 'fetch', found: 'get', parts: ['name', 'summary'] },
          { said: 'order', found: 'order', parts: ['name', 'category', 'summary'] },
        ],
      },
    ],
    unmatched: ['quickly'],
  });
});

test('a caller finds what it may use', async () => {
  const search = await start();
  expect((await search('refunds')).found).toEqual([]);
  const { found } = await search('refunds', ['refunds:read']);
  expect(found).toMatchObject([{ name: 'list_refunds', score: expect.any(Number) }]);
  expect(found![0]!.score).toBeGreaterThan(0);
});

test('a query that the server refuses is shown with the words of the server', async () => {
  const search = await start();
  expect(await search('  ')).toEqual({ unmatched: [], refusal: 'Say in "query" what the tool should do.' });
});

test('a server that does not search says so', async () => {
  const search = await start({});
  expect(await search('order')).toEqual({ unmatched: [] });
});
