import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Manifest } from '@toolwright/manifest';
import { buildManifest } from '@toolwright/schema-compiler';
import { type Logger, silentLogger } from '@toolwright/core/ports';
import { PageStore } from './fixtures/pages/src/page-store.js';
import { PageTools } from './fixtures/pages/src/page-tools.js';
import { StatelessWire } from './wire/stateless-wire.js';

let manifest: Manifest;
let server: McpServer;
let wire: StatelessWire;

beforeAll(async () => {
  ({ manifest } = await buildManifest({ project: join(__dirname, 'fixtures/pages/tsconfig.json') }));
});

beforeEach(async () => {
  server = await createMcpServer({
    name: 'pages',
    version: '1.0.0',
    services: [PageTools],
    manifest,
    logger: silentLogger,
  });
  wire = new StatelessWire(server);
});

afterEach(() => server.close(0));

test('discovery returns the name of the server and its features', async () => {
  const { result } = await wire.request('server/discover');
  expect(result.capabilities).toMatchObject({ tools: {}, prompts: {}, resources: {}, completions: {} });
  expect(result._meta['io.modelcontextprotocol/serverInfo']).toMatchObject({
    name: 'pages',
    version: '1.0.0',
  });
});

test('a decorated method is listed with the schema of its signature and the text of its comment', async () => {
  const { result } = await wire.request('tools/list');
  expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
    'search_pages',
    'deletePage',
    'fail',
  ]);
  expect(result.tools[0]).toMatchObject({
    description: 'Search pages by title.',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 2, description: 'words to look for' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      },
      required: ['query'],
    },
  });
});

test('a call reaches the method of the injected service', async () => {
  const { result } = await wire.call('search_pages', { query: 'decor' });
  expect(result.structuredContent).toEqual({ results: [{ id: 'p1', title: 'Decorators' }] });
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
});

test('wrong arguments get an answer that a model can act on', async () => {
  const { result } = await wire.call('search_pages', { query: 5 });
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toContain('query');
});

test('a ToolContext is injected, and the text of a ToolError reaches the model', async () => {
  const { result } = await wire.call('deletePage', { pageId: 'nope' });
  expect(result).toMatchObject({ isError: true, content: [{ text: 'No page has the id nope. (1)' }] });
});

test('the text of any other error is not sent', async () => {
  const answer = await wire.call('fail');
  expect(answer.result.isError).toBe(true);
  expect(JSON.stringify(answer)).not.toContain('secret-canary');
});

test('the answer for an unknown tool names the nearest one', async () => {
  const { error } = await wire.call('serch_pages', {});
  expect(error).toMatchObject({
    code: -32602,
    message: expect.stringContaining("Did you mean 'search_pages'?"),
  });
});

test('prompts, resources, templates and completions are served', async () => {
  const prompt = await wire.request('prompts/get', { name: 'summarise', arguments: { pageId: 'p1' } });
  expect(prompt.result.messages[0].content.text).toBe('Summarise the page p1.');
  const resource = await wire.request('resources/read', { uri: 'pages://all' });
  expect(resource.result.contents[0]).toMatchObject({ mimeType: 'application/json', text: '["p1"]' });
  const templated = await wire.request('resources/read', { uri: 'page://p1' });
  expect(templated.result.contents[0]).toMatchObject({ uri: 'page://p1', text: 'Decorators' });
  const completion = await wire.request('completion/complete', {
    ref: { type: 'ref/prompt', name: 'summarise' },
    argument: { name: 'pageId', value: 'p' },
  });
  expect(completion.result.completion.values).toEqual(['p1', 'p2']);
});

test('services are initialised before the first call and disposed when the server closes', async () => {
  const store = new PageStore();
  const own = await createMcpServer({
    name: 'pages',
    version: '1.0.0',
    services: [PageTools],
    manifest,
    logger: silentLogger,
    providers: [{ provide: PageStore, useFactory: () => Promise.resolve(store) }],
  });
  expect(store.events).toEqual(['init']);
  await own.close(0);
  await own.close(0);
  expect(store.events).toEqual(['init', 'dispose']);
});
