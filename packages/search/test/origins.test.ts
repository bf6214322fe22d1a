import { McpService, type McpServer, McpTool } from '@toolwright/core';
import { join } from 'node:path';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { boot } from '../../core/test/support/booting.js';
import { handMadeManifest } from '../../core/test/packages/hand-made-manifest.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { mountServer } from '../../mount/src/index.js';
import { createUpstream, serveUpstream } from '../../mount/test/support/tools.js';
import { openApiTools } from '../../openapi/src/index.js';

const open = closedAfterEach();

const start = async (options: object = {}) => {
  const server = await boot({ services: [], toolSearch: true, rateLimit: false, ...options });
  open.push({ close: () => server.close(0) });
  return server;
};
const search = async (server: McpServer, query: string) => {
  const { result } = await new StatelessWire(server).call('search_tools', { query, limit: 10 });
  return result.structuredContent.tools as { name: string; category?: string }[];
};
const petstore = join(__dirname, '../../openapi/test/fixtures/petstore.yaml');

test('The category of an imported tool is its API with the tag', async () => {
  const server = await start();
  await openApiTools(server, { spec: petstore, baseUrl: 'https://petstore.example', include: ['GET *'] });
  const [first] = await search(server, 'get a pet');
  expect(first).toMatchObject({ name: 'get_pet', category: 'Petstore: pets' });
});

test('The category of a mounted tool is the name of the mount', async () => {
  const server = await start();
  const { url, served } = await serveUpstream(await createUpstream());
  open.push(served);
  open.push(await mountServer(server, 'backoffice', { url }));
  expect((await search(server, 'echo'))[0]).toMatchObject({ name: 'echo', category: 'backoffice' });
});

const issues = (origin: string) => ({
  name: `${origin[0]!.toLowerCase()}_issues`,
  description: 'List issues.',
  origin,
  category: 'issues',
  handler: () => 'ok',
});

test('A query that names where tools came from gets these first', async () => {
  const server = await start();
  server.tools.add([issues('GitHub Enterprise'), issues('Jira Cloud')]);
  expect((await search(server, 'list issues of jira'))[0]!.name).toBe('j_issues');
  expect((await search(server, 'list issues in github'))[0]!.name).toBe('g_issues');
});

test('A word that tools of other origins have, too, names none', async () => {
  const server = await start();
  const invoice = (name: string, origin: string) => ({
    name,
    description: 'Get an invoice of the cloud.',
    origin,
    handler: () => 'ok',
  });
  server.tools.add([invoice('get_invoice', 'Books'), invoice('get_cloud_invoice_line', 'Cloud Platform')]);
  expect((await search(server, 'get cloud invoice')).map(({ name }) => name)).toHaveLength(2);
  expect((await search(server, 'invoice of the cloud'))[0]!.name).toBe('get_invoice');
});

test('The best tools of one origin leave room for those of another one', async () => {
  const server = await start();
  const tool = (name: string, origin: string) => ({
    name,
    description: 'Get tax rates.',
    origin,
    handler: () => 'ok',
  });
  const first = ['get_tax_rates', 'get_tax_rates_all', 'get_tax_rates_old', 'get_tax_rates_new'];
  server.tools.add([...first.map((name) => tool(name, 'Stripe')), tool('get_tax_rates_of_country', 'Xero')]);
  const names = (await search(server, 'get tax rates')).map(({ name }) => name);
  expect(names.indexOf('get_tax_rates_of_country')).toBeLessThan(names.length - 1);
  expect(names[0]).toBe('get_tax_rates');
});

test('A class says where its tools came from', async () => {
  @McpService({ origin: 'Library', category: 'books' })
  class Books {
    @McpTool({ annotations: { readOnlyHint: true } }) getBook() {}
  }
  const manifest = handMadeManifest({ file: 'src/books.ts', name: 'Books', methods: { getBook: [] } });
  const server = await start({ services: [Books], manifest: manifest as never });
  expect((await search(server, 'book'))[0]).toMatchObject({ category: 'Library: books' });
});
