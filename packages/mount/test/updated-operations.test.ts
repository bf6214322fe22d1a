import { connect } from '@toolwright/client';
import { Confirm, type McpServer, RequireScopes } from '@toolwright/core';
import { mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { createGateway, serveUpstream } from './support/tools.js';
import { until } from '../../../.ci/test/support/until.js';

const open = closedAfterEach();

let upstream: McpServer;
let gateway: McpServer;
let mount: Awaited<ReturnType<typeof mountServer>>;

beforeEach(async () => {
  upstream = await createGateway({ name: 'upstream' });
  upstream.tools.add({ name: 'pay', description: 'Pays.', handler: () => 'paid' });
  upstream.resourceTemplates.add({ name: 'order', uriTemplate: 'order://{id}', handler: () => 'an order' });
  const { url, served } = await serveUpstream(upstream);
  open.push(served);
  gateway = await createGateway();
  open.push(gateway);
  mount = await mountServer(gateway, 'up', { url });
});

async function toolsOf(scopes: string[]) {
  const client = await connect(gateway, { principal: { subject: 'ann', scopes } });
  const tools = await client.tools();
  await client.close();
  return tools.map(({ name, description }) => `${name}: ${description}`);
}

/** The server behind changes its tool, and somebody accepts it. */
async function change(description: string): Promise<void> {
  upstream.tools.update('pay', { description });
  await until(() => mount.status().held.length > 0);
  await mount.accept();
}

const left = () => mount.status().left;

test('what an update has added to a mounted tool counts for each later form of the tool', async () => {
  gateway.tools.update('pay', { policies: [RequireScopes.entry('pay')] });
  gateway.tools.update('pay', { policies: [Confirm.entry('Sure?')] });
  await change('Pays more.');
  expect([await toolsOf([]), await toolsOf(['pay']), left()]).toEqual([[], ['pay: Pays more.'], []]);
  gateway.tools.update('pay', { policies: { remove: ['RequireScopes'] } });
  await change('Pays most.');
  expect([await toolsOf([]), left()]).toEqual([['pay: Pays most.'], []]);
  expect(gateway.explain('pay')!.steps.map(({ name }) => name)).toContain('confirm');
});

test.each<[string, Parameters<McpServer['tools']['update']>[1], string[]]>([
  ['its name', { name: 'pay_now' }, ['pay_now: Pays more.']],
  ['its description', { description: 'Ours.' }, ['pay: Ours.']],
  ['whom it is for', { for: (principal) => principal?.subject === 'ann' }, ['pay: Pays more.']],
])(
  'an update of %s is kept, and its tool is not taken for one of somebody else',
  async (_what, update, tools) => {
    gateway.tools.update('pay', update);
    await change('Pays more.');
    expect([await toolsOf([]), left()]).toEqual([tools, []]);
  },
);

test('a tool that goes away and comes back has the guards that it had', async () => {
  gateway.tools.update('pay', { policies: [RequireScopes.entry('pay')] });
  upstream.tools.remove('pay');
  await until(() => gateway.tools.list().length === 0);
  upstream.tools.add({ name: 'pay', description: 'Pays.', handler: () => 'paid' });
  await until(() => gateway.tools.list().length > 0);
  expect([await toolsOf([]), await toolsOf(['pay'])]).toEqual([[], ['pay: Pays.']]);
});

test.each<[string, () => void]>([
  ['an update', () => gateway.resourceTemplates.update('order://{id}', { description: 'Ours.' })],
  ['new middleware', () => gateway.use((_call, next) => next())],
])('%s does not make a template of a mount one of somebody else', async (_what, disturb) => {
  disturb();
  upstream.resourceTemplates.update('order://{id}', { title: 'An order' });
  await until(() => gateway.resourceTemplates.list()[0]?.title === 'An order');
  expect(left()).toEqual([]);
});

test('a tool that an application has put in the place of a mounted one stays', async () => {
  gateway.tools.remove('pay');
  gateway.tools.add({ name: 'pay', description: 'Own.', handler: () => 'own' });
  await change('Pays more.');
  expect(await toolsOf([])).toEqual(['pay: Own.']);
  expect(left()).toMatchObject([{ kind: 'tool', name: 'pay' }]);
});
