import { connect, type McpClient } from '@toolwright/client';
import { ConfigurationError, type McpServer, RateLimit } from '@toolwright/core';
import { type MountOptions, mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { createGateway, createUpstream, serveUpstream } from './support/tools.js';
import { until } from '../../../.ci/test/support/until.js';

const open = closedAfterEach();

async function mounted(options: Partial<MountOptions>, gateway?: McpServer) {
  const upstream = await createUpstream();
  const { url, served } = await serveUpstream(upstream);
  const server = gateway ?? (await createGateway());
  open.push({ close: () => served.close() }, server);
  const mount = await mountServer(server, 'up', { url, ...options } as MountOptions);
  const client = await connect(server);
  open.push(client);
  return { server, upstream, mount, client, url };
}

type Listed = { name: string; annotations?: unknown }[];
const listed = async (client: McpClient, kind: string) =>
  (await client.request(`${kind}/list`, {}))[kind] as Listed;
const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name).sort();

test('a prefix, other names and a choice decide what our clients see', async () => {
  const { client } = await mounted({
    prefix: 'up_',
    select: ['e*', 'sum', 'review', 'notes://*', '!notes://{*'],
    rename: { sum: 'add' },
    describe: { 'e*': 'Says it again.' },
  });
  const tools = await listed(client, 'tools');
  expect(namesOf(tools)).toEqual(['add', 'up_echo']);
  expect(tools.find(({ name }) => name === 'up_echo')).toMatchObject({
    description: 'Says it again.',
    title: 'Echo',
    annotations: { readOnlyHint: true },
  });
  expect(namesOf(await listed(client, 'prompts'))).toEqual(['up_review']);
  expect(namesOf(await listed(client, 'resources'))).toEqual(['notes']);
  expect(await client.call('add', { a: 2, b: 3 })).toMatchObject({ structuredContent: { sum: 5 } });
});

test('our guards count for its tools, and what it says of itself can be corrected', async () => {
  const { client } = await mounted({
    policies: {
      '*': { annotations: { readOnlyHint: false } },
      echo: [RateLimit.entry({ points: 1, per: '1h' })],
    },
  });
  const echo = (await listed(client, 'tools')).find(({ name }) => name === 'echo');
  expect(echo).toMatchObject({ annotations: { readOnlyHint: false } });
  await client.call('echo', { text: 'a' });
  expect(await client.call('echo', { text: 'b' })).toMatchObject({ isError: true });
});

test('arguments are checked before they reach the server behind', async () => {
  const { client } = await mounted({});
  expect(await client.call('echo', { text: 7 })).toMatchObject({ isError: true });
});

test('names that are taken are told at boot, all of them, and nothing is left behind', async () => {
  const { server, url } = await mounted({});
  const failure = await mountServer(server, 'again', { url }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConfigurationError);
  const { problems } = failure as ConfigurationError;
  expect(problems.map(({ code }) => code)).toEqual(problems.map(() => 'TW_NAME_DUPLICATE'));
  expect(problems.length).toBeGreaterThan(6);
  expect(problems[0]!.fix).toContain('prefix');
  expect((await server.operate('test').state()).mounts).toHaveLength(1);
});

test.each<[string, MountOptions, string]>([
  ['neither', {}, 'neither a url nor a command'],
  ['both', { url: 'http://127.0.0.1:1/', command: 'node' }, 'both a url and a command'],
  ['a wrong URL', { url: 'ftp://127.0.0.1/' }, 'no URL of HTTP'],
  ['a command that is not there', { command: 'no-such-program-here' }, 'is not found'],
  [
    'a header that auth does not allow',
    { url: 'http://127.0.0.1:1/', auth: 'user', headers: { Authorization: 'x' } },
    'auth',
  ],
])('%s is an error of the boot', async (_, options, text) => {
  const server = await createGateway();
  open.push(server);
  await expect(mountServer(server, 'wrong', options)).rejects.toThrow(text);
});

test('the same name for two mounts is an error', async () => {
  const { server, url } = await mounted({});
  await expect(mountServer(server, 'up', { url, prefix: 'x_' })).rejects.toThrow(
    'a mount with the name "up"',
  );
});

test('changes of its lists reach our clients, once for each tick', async () => {
  const { client, upstream } = await mounted({});
  const changes = await client.listen({ tools: true });
  upstream.tools.add([
    { name: 'one', description: 'One.', handler: () => 1 },
    { name: 'two', description: 'Two.', handler: () => 2 },
  ]);
  upstream.tools.remove('fail');
  expect(await changes.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
  const names = namesOf(await listed(client, 'tools'));
  expect(names).toEqual(expect.arrayContaining(['one', 'two']));
  expect(names).not.toContain('fail');
  expect(changes.pending()).toEqual([]);
  await changes.close();
});

test.each(['2026-07-28', '2025-11-25'])(
  'who watches a resource hears of its changes (%s)',
  async (revision) => {
    const { server, upstream } = await mounted({});
    const client = await connect(server, { revision } as never);
    open.push(client);
    const changes = await client.listen({ uris: ['notes://all'] });
    // The subscription reaches the server behind a moment later.
    const isWatched = async () =>
      (await upstream.operate('test').state()).subscriptions.some(({ of }) => of === 'notes://all');
    await until(isWatched);
    upstream.resourceUpdated('notes://all');
    expect(await changes.next()).toMatchObject({ params: { uri: 'notes://all' } });
    await changes.close();
  },
);

test('a mount that is closed takes its operations along', async () => {
  const { client, mount } = await mounted({});
  await mount.close();
  expect(await listed(client, 'tools')).toEqual([]);
  expect(mount.status()).toMatchObject({ state: 'closed', sessions: 0 });
});

test('old drafts of JSON Schema are converted, and what cannot be served is left out and named', async () => {
  const { upstream, url } = await mounted({});
  const draft4 = {
    $schema: 'http://json-schema.org/draft-04/schema#',
    type: 'object',
    definitions: { n: { type: 'number', minimum: 1, exclusiveMinimum: true } },
    properties: { n: { $ref: '#/definitions/n' } },
  };
  upstream.tools.add({
    name: 'old',
    description: 'Old.',
    inputSchema: draft4 as never,
    exactSchema: true,
    handler: () => 'x',
  });
  const other = await createGateway();
  open.push(other);
  await mountServer(other, 'up', { url });
  const client = await connect(other);
  open.push(client);
  expect(await client.call('old', { n: 1 })).toMatchObject({ isError: true });
  expect(await client.call('old', { n: 2 })).toMatchObject({ content: [{ text: 'x' }] });
});
