import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@toolwright/client';
import { mountServer } from '@toolwright/mount';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { closeLater, mounted } from '../support/malicious-mount.js';
import { type MaliciousUpstream, tool, type Trick } from '../support/malicious-upstream.js';
import { scripted } from '../support/scripted-upstream.js';
import { createGateway } from '../support/tools.js';
import { until } from '../../../../.ci/test/support/until.js';

const failing = ({ response, message }: Trick) =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: 'no database' } }));
const prompts = ({ result }: Trick) => result({ prompts: [{ name: 'ask', description: 'Asks.' }] });
const resources = ({ result }: Trick) => result({ resources: [{ uri: 'notes://all', name: 'notes' }] });
const announce = (evil: MaliciousUpstream) => {
  for (const each of evil.listeners)
    each.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n');
};

test.each([
  ['tools/list', 'tool', ['ask', 'notes://all']],
  ['prompts/list', 'prompt', ['ok', 'notes://all']],
  ['resources/list', 'resource', ['ok', 'ask']],
  ['resources/templates/list', 'resourceTemplate', ['ok', 'ask', 'notes://all']],
])('%s that fails is left out, and all others are there', async (method, kind, there) => {
  const { gateway, mount } = await mounted([tool('ok')], {
    methods: { 'prompts/list': prompts, 'resources/list': resources, [method]: failing },
  });
  expect(mount.status()).toMatchObject({
    state: 'up',
    operations: there.length,
    left: [{ kind, name: method, reason: 'the server does not give this list: no database' }],
  });
  const names = [
    ...gateway.tools.list().map(({ name }) => name),
    ...gateway.prompts.list().map(({ name }) => name),
    ...gateway.resources.list().map(({ uri }) => uri),
  ];
  expect(names).toEqual(there);
});

test('a list that never comes leaves the others their time', async () => {
  const { mount } = await mounted([tool('ok')], {
    methods: { 'resources/list': () => undefined },
    options: { connectTimeout: 2_000 },
  });
  expect(mount.status()).toMatchObject({ state: 'up', operations: 1, left: [{ name: 'resources/list' }] });
});

test('a server that gives none of its lists is away', async () => {
  const all = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
  const { mount } = await mounted([tool('ok')], {
    methods: Object.fromEntries(all.map((method) => [method, failing])),
  });
  expect(mount.status()).toMatchObject({ state: 'down', error: expect.stringContaining('no database') });
});

test('a list that fails later stays as it was, and is read again when it can be', async () => {
  const { evil, gateway, mount } = await mounted([tool('ok')], { methods: { 'prompts/list': prompts } });
  await until(() => evil.listeners.size > 0);
  evil.methods['tools/list'] = failing;
  announce(evil);
  await until(() => mount.status().left.length > 0);
  expect(gateway.tools.list().map(({ name }) => name)).toEqual(['ok']);
  delete evil.methods['tools/list'];
  evil.tools = [tool('ok'), tool('more')];
  announce(evil);
  await until(() => gateway.tools.list().length === 2);
  expect(mount.status()).toMatchObject({ state: 'up', left: [] });
});

test('the tools are not held back as new when they can be read at last', async () => {
  const lock = join(temporaryFolder(), 'mcp.lock.json');
  const { evil, gateway, mount } = await mounted([tool('ok')], {
    methods: { 'tools/list': failing, 'prompts/list': prompts },
    options: { lock },
  });
  await until(() => evil.listeners.size > 0);
  expect(gateway.tools.list()).toHaveLength(0);
  delete evil.methods['tools/list'];
  announce(evil);
  await until(() => gateway.tools.list().length === 1);
  expect(mount.status().held).toEqual([]);
  expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({
    upstreams: { evil: { tools: { ok: {} }, prompts: { ask: {} } } },
  });
});

test('a mount that is required does not need each of the lists', async () => {
  const upstream = await scripted(
    {
      initialize:
        '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"a","version":"1"}}',
      'tools/list': '"result":{"tools":[{"name":"ok","inputSchema":{"type":"object"}}]}',
      'resources/list': '"error":{"code":-32603,"message":"no database"}',
    },
    'stdio',
  );
  const gateway = await createGateway();
  closeLater(gateway);
  await mountServer(gateway, 'some', { ...upstream.options, required: true });
  const client = await connect(gateway, {} as never);
  closeLater(client);
  expect((await client.request('tools/list', {}))['tools']).toHaveLength(1);
});
