import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type McpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { mountServer } from '@toolwright/mount';
import { readRecording, recordTo } from '../src/index.js';
import { makePlace, reading, replayed, serverWith } from './support/recorded.js';

// Clients and servers that nobody here wrote.
const place = makePlace();
const servers: McpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});
afterAll(() => place.remove());

/** Records what the official client does over HTTP. */
async function withOfficial(
  server: McpServer,
  use: (client: Client) => Promise<unknown>,
  options?: ClientOptions,
): Promise<void> {
  const served = await serveHttp(server, { port: 0, signals: false });
  const recorder = recordTo(server, { file: place.file });
  const client = new Client({ name: 'official', version: '2.4.0' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url)));
  await use(client);
  await client.close();
  recorder.close();
  await served.close();
}

const make = async (version: string): Promise<McpServer> => {
  const server = await serverWith(version, [
    reading('greet', ({ who }) => `Hello ${String(who)}.`, {
      inputSchema: { type: 'object', properties: { who: { type: 'string' } } },
    }),
  ]);
  servers.push(server);
  return server;
};

test.each<[string, ClientOptions | undefined]>([
  ['in the older era', undefined],
  ['in the newer era', { versionNegotiation: { mode: 'auto' } } as ClientOptions],
])('the official client is recorded and replayed %s', async (_era, options) => {
  const server = await make('1.0.0');
  await withOfficial(
    server,
    async (client) => {
      await client.listTools();
      await Promise.all(
        ['Ann', 'Bob', 'Eve'].map((who) => client.callTool({ name: 'greet', arguments: { who } })),
      );
    },
    options,
  );
  const { messages } = await readRecording(place.file);
  expect(messages.every(({ client }) => client === undefined || client.name === 'official')).toBe(true);
  const report = await replayed(place.file, await make('1.1.0'));
  expect([report.differing, report.left]).toEqual([[], []]);
  expect(report.counts.replayed).toBe(4);
});

/** The official server that remembers a graph, behind a mount. */
const memory = createRequire(__filename).resolve('@modelcontextprotocol/server-memory/package.json');
const mounted = async (file: string): Promise<McpServer> => {
  const server = await make('1.0.0');
  const command = { command: process.execPath, args: [join(memory, '../dist/index.js')] };
  await mountServer(server, 'memory', {
    ...command,
    env: { MEMORY_FILE_PATH: join(place.folder, file) },
    required: true,
  });
  return server;
};

test('a server of somebody else is recorded behind a mount, and an empty one answers in another way', async () => {
  const server = await mounted('first.json');
  const entities = [{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }];
  const name = (suffix: string) => server.tools.list().find((tool) => tool.name.endsWith(suffix))!.name;
  await withOfficial(server, async (client) => {
    await client.listTools();
    await client.callTool({ name: name('create_entities'), arguments: { entities } });
    await client.callTool({ name: name('read_graph'), arguments: {} });
    await client.callTool({ name: name('search_nodes'), arguments: { query: 'tea' } });
  });
  const all = await replayed(place.file, await mounted('second.json'), { all: true });
  expect([all.differing, all.counts]).toEqual([[], { calls: 4, replayed: 4, same: 4 }]);
  const empty = await replayed(place.file, await mounted('third.json'));
  expect(empty.left.map((each) => each.reason)).toContain('writes');
  expect(empty.counts.same).toBeLessThan(empty.counts.calls);
});
