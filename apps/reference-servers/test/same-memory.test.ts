import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { temporaryFolder } from './support/folder.js';
import { call, connect, type Side } from './support/reference-server.js';

const base = temporaryFolder();
const fileOf = (side: Side) => join(base(), `${side}.jsonl`);
const start = (side: Side) => connect('memory', side, { env: { MEMORY_FILE_PATH: fileOf(side) } });

const ada = { name: 'Ada', entityType: 'person', observations: ['likes numbers'] };
const engine = { name: 'Engine', entityType: 'machine', observations: [] };
const programs = { from: 'Ada', to: 'Engine', relationType: 'programs' };
const GRAPH = { uri: 'memory://knowledge-graph' };

const calls: [string, object][] = [
  ['read_graph', {}],
  ['create_entities', { entities: [ada, engine] }],
  ['create_entities', { entities: [ada, { name: 'Bob', entityType: 'person', observations: ['älter'] }] }],
  ['create_relations', { relations: [programs, { ...programs, to: 'Bob', relationType: 'knows' }] }],
  ['create_relations', { relations: [programs] }],
  ['add_observations', { observations: [{ entityName: 'Ada', contents: ['likes numbers', 'writes'] }] }],
  ['add_observations', { observations: [{ entityName: 'Nobody', contents: ['x'] }] }],
  ['search_nodes', { query: 'PERSON' }],
  ['search_nodes', { query: 'writes' }],
  ['search_nodes', { query: 'nothing like it' }],
  ['open_nodes', { names: ['Engine', 'Nobody'] }],
  ['open_nodes', { names: [] }],
  ['delete_observations', { deletions: [{ entityName: 'Ada', observations: ['writes', 'sings'] }] }],
  ['delete_observations', { deletions: [{ entityName: 'Nobody', observations: ['x'] }] }],
  ['delete_relations', { relations: [programs, programs] }],
  ['read_graph', {}],
  ['delete_entities', { entityNames: ['Bob', 'Nobody'] }],
  ['read_graph', {}],
  ['create_entities', {}],
  ['create_entities', { entities: [{ name: 'x' }] }],
  ['search_nodes', { query: 5 }],
];

async function answerTo(client: Client, [name, args]: [string, object]) {
  const { isError = false, content, structuredContent } = await call(client, name, args);
  return isError ? 'refused' : { content, structuredContent };
}

it('gives the same answers to the same calls, and writes the same file', async () => {
  const [ours, theirs] = await Promise.all([start('ours'), start('theirs')]);
  for (const each of calls)
    expect([each, await answerTo(ours, each)]).toEqual([each, await answerTo(theirs, each)]);

  expect(await readFile(fileOf('ours'), 'utf8')).toBe(await readFile(fileOf('theirs'), 'utf8'));
});

it('reads the file of the other, with empty lines and lines of other kinds in it', async () => {
  const lines = [{ type: 'entity', ...ada, more: 1 }, { type: 'relation', ...programs }, { type: 'note' }];
  const text = lines.map((line) => JSON.stringify(line)).join('\n\n');
  for (const side of ['ours', 'theirs'] as const) await writeFile(fileOf(side), text);
  const [ours, theirs] = await Promise.all([start('ours'), start('theirs')]);

  expect(await answerTo(ours, ['read_graph', {}])).toEqual(await answerTo(theirs, ['read_graph', {}]));
});

it.each(['ours', 'theirs'] as const)(
  '%s: the graph is a resource that tells when it changes',
  async (side) => {
    const client = await start(side);
    const updated = new Promise((resolve) =>
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri)),
    );
    await client.subscribeResource(GRAPH);
    await call(client, 'create_entities', { entities: [engine] });

    expect(await updated).toBe(GRAPH.uri);
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([
      { ...GRAPH, name: 'knowledge-graph', title: 'Knowledge Graph', mimeType: 'application/json' },
    ]);
    const text = JSON.stringify({ entities: [engine], relations: [] }, null, 2);
    expect((await client.readResource(GRAPH)).contents).toEqual([
      { ...GRAPH, mimeType: 'application/json', text },
    ]);
  },
);
