import { McpService, McpTool, type McpServer, type Principal } from '@toolwright/core';
import { handMadeManifest } from '../../core/test/packages/hand-made-manifest.js';
import { boot } from '../../core/test/support/booting.js';
import { StatefulWire } from '../../core/test/wire/stateful-wire.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { shopTools } from './support/shop-tools.js';

let server: McpServer;
afterEach(() => server.close(0));

@McpService({ group: 'billing' })
class Billing {
  /** Sends a bill. */
  @McpTool({ annotations: { destructiveHint: false } }) send_bill() {}
  /** Shows a bill. */
  @McpTool({ annotations: { readOnlyHint: true } }) show_bill() {}
}
const manifest = handMadeManifest({
  file: 'src/billing.ts',
  name: 'Billing',
  methods: { send_bill: [], show_bill: [] },
});

const SEARCH = ['search_tools', 'describe_tool', 'call_tool'];
const start = async (options: object = {}) => {
  server = await boot({ services: [Billing], manifest, toolSearch: true, ...options });
  server.tools.add(shopTools);
};
const as = (principal: Principal | undefined, transport: 'http' | 'memory' = 'memory') =>
  new StatelessWire(server, { principal, ip: undefined, transport });
const ann = { subject: 'ann', scopes: [] };
const bob = { subject: 'bob', scopes: [] };
const namesOf = async (wire: Pick<StatelessWire, 'request'>) =>
  (await wire.request('tools/list')).result.tools.map(({ name }: { name: string }) => name);

test('A caller loads a group, and others do not have it', async () => {
  await start();
  expect(await namesOf(as(ann))).toEqual([...SEARCH, 'load_group']);
  const { result } = await as(ann).call('load_group', { group: 'billing' });
  expect(result.structuredContent).toEqual({
    tools: [
      { name: 'send_bill', description: expect.any(String) },
      { name: 'show_bill', description: expect.any(String) },
    ],
    listed: true,
  });
  expect(await namesOf(as(ann))).toEqual([...SEARCH, 'load_group', 'send_bill', 'show_bill']);
  expect(await namesOf(as(bob))).toEqual([...SEARCH, 'load_group']);
});

test('Without a name it returns the groups; a wrong name says which there are', async () => {
  await start();
  const { result } = await as(ann).call('load_group');
  expect(result.structuredContent).toEqual({ groups: [{ group: 'billing', tools: 2 }] });
  const wrong = await as(ann).call('load_group', { group: 'biling' });
  expect(wrong.result).toMatchObject({
    isError: true,
    content: [{ text: 'Unknown group: "biling". The groups are: billing.' }],
  });
});

test('A session has groups of its own, and hears that its list has changed', async () => {
  await start();
  const one = new StatefulWire(server);
  const other = new StatefulWire(server);
  await one.call('load_group', { group: 'billing' });
  const heard = ({ said }: StatefulWire) =>
    said.filter(({ method }) => method === 'notifications/tools/list_changed').length;
  expect([heard(one), heard(other)]).toEqual([1, 0]);
  const { result } = await one.call('load_group', { group: 'billing' });
  expect(result.structuredContent).toMatchObject({ listed: true });
  expect(heard(one)).toBe(1);
  expect(await namesOf(one)).toContain('send_bill');
  expect(await namesOf(other)).not.toContain('send_bill');
  one.close();
  other.close();
});

test('A caller whom nothing tells from others learns the tools, and its list stays', async () => {
  await start();
  const anybody = as(undefined, 'http');
  const { result } = await anybody.call('load_group', { group: 'billing' });
  expect(result.structuredContent).toMatchObject({ listed: false, tools: [{ name: 'send_bill' }, {}] });
  expect(await namesOf(anybody)).not.toContain('send_bill');
});

test('A shared cache has the groups of callers for all processes', async () => {
  const kept = new Map<string, unknown>();
  const cache = {
    get: (key: string) => Promise.resolve(kept.get(key)),
    set: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
  await start({ stores: { cache }, secrets: ['x'.repeat(32)] });
  await as(ann).call('load_group', { group: 'billing' });
  await server.close(0);
  await start({ stores: { cache }, secrets: ['x'.repeat(32)] });
  expect(await namesOf(as(ann))).toContain('send_bill');
});

test('A group of tools that the caller may not see does not exist for it', async () => {
  await start({ authorize: (_: unknown, { name }: { name: string }) => !name.endsWith('_bill') });
  expect(await namesOf(as(ann))).toEqual(SEARCH);
  const { result } = await as(ann).call('load_group', { group: 'billing' });
  expect(result.content[0].text).toBe('Unknown group: "billing". You have no groups.');
});

test('Hosts that search by themselves get the whole list, with the groups', async () => {
  await start({ toolSearch: { wholeListFor: ['searching-host'] } });
  const wire = as(ann);
  const meta = { 'io.modelcontextprotocol/clientInfo': { name: 'searching-host', version: '1' } };
  const { result } = await wire.request('tools/list', {}, { meta });
  const tools = result.tools as { name: string; _meta?: object }[];
  expect(tools.map(({ name }) => name)).not.toContain('search_tools');
  expect(tools.find(({ name }) => name === 'send_bill')!._meta).toEqual({ 'io.toolwright/group': 'billing' });
  expect(tools.find(({ name }) => name === 'get_order')!._meta).toBeUndefined();
});
