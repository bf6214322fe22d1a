import type { McpServer } from '@toolwright/core';
import { Inside } from '../src/index.js';
import { shopServer } from './support/shop-server.js';

let server: McpServer;
afterEach(() => server.close(0));

const start = async () => {
  server = await shopServer({ toolSearch: true });
  const inside = new Inside(() => undefined);
  inside.add(server);
  return (query: string, scopes?: readonly string[]) =>
    inside.ask('searchTools', { server: 'shop', query, ...(scopes && { as: { subject: 'ann', scopes } }) });
};

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
