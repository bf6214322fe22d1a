import { McpService, McpTool, RequireScopes, type McpServer, type Principal } from '@toolwright/core';
import { boot } from '../../core/test/support/booting.js';
import { handMadeManifest } from '../../core/test/packages/hand-made-manifest.js';
import { RecordingSink } from '../../core/test/support/recording-sink.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { shopTools } from './support/shop-tools.js';

let server: McpServer;
afterEach(() => server.close(0));

const start = async (options: object = {}) => {
  server = await boot({ services: [], toolSearch: true, rateLimit: false, ...options });
  server.tools.add(shopTools);
  return new StatelessWire(server);
};
const as = (principal: Principal | undefined) =>
  new StatelessWire(server, { principal, ip: undefined, transport: 'memory' });
const namesOf = async (wire: StatelessWire) =>
  (await wire.request('tools/list')).result.tools.map(({ name }: { name: string }) => name);
const search = async (wire: StatelessWire, query: string, limit?: number) => {
  const { result } = await wire.call('search_tools', { query, ...(limit !== undefined && { limit }) });
  return result.structuredContent.tools as { name: string; [field: string]: unknown }[];
};
const found = async (wire: StatelessWire, query: string) =>
  (await search(wire, query)).map(({ name }) => name);

test('A list has the search, and what is pinned, in an order that stays', async () => {
  const wire = await start({ toolSearch: { pinned: ['get_order'] } });
  const names = await namesOf(wire);
  expect(names).toEqual(['search_tools', 'describe_tool', 'call_tool', 'get_order']);
  expect(await namesOf(wire)).toEqual(names);
});

test('A search returns the best tools first, with schema, output and category', async () => {
  const wire = await start();
  const [first] = await search(wire, 'refund an order');
  expect(first).toEqual({
    name: 'refund_order',
    description: 'Refund an order.',
    inputSchema: expect.objectContaining({ required: ['orderId'] }),
    output: '{ refundId, amount: number }',
    category: 'orders',
  });
  expect(await search(wire, 'order', 2)).toHaveLength(2);
});

test.each([
  ['the words of its name', 'cancel order', 'cancel_order'],
  ['identifiers', 'listCustomers', 'list_customers'],
  ['other forms of its words', 'cancelling orders', 'cancel_order'],
  ['other verbs', 'remove customer', 'delete_customer'],
  ['other nouns', 'reimburse a purchase', 'refund_order'],
  ['typos', 'refnud ordr', 'refund_order'],
  ['words of its author', 'dunning', 'send_reminder'],
])('A tool is found by %s', async (_, query, name) => {
  expect((await found(await start(), query))[0]).toBe(name);
});

test('A name that begins with a method of HTTP does what its summary says', async () => {
  const wire = await start();
  const add = (name: string, description: string) =>
    server.tools.add({ name, description, handler: () => 'ok' });
  add('post_plans_plan', 'Updates a plan.');
  add('post_plans', 'Creates a plan.');
  expect((await found(wire, 'update a plan'))[0]).toBe('post_plans_plan');
  expect((await found(wire, 'create a plan'))[0]).toBe('post_plans');
});

test('Words that a query has side by side are looked for side by side', async () => {
  const wire = await start();
  const add = (name: string, description: string) =>
    server.tools.add({ name, description, handler: () => 'ok' });
  add('list_windows_of_maintenance', 'List when nothing runs.');
  add('list_maintenance_windows', 'List when nothing runs.');
  expect((await found(wire, 'maintenance window'))[0]).toBe('list_maintenance_windows');
});

test('Of a long query, the beginning counts', async () => {
  const wire = await start();
  expect((await found(wire, `cancel order ${'refund '.repeat(20_000)}`))[0]).toBe('cancel_order');
});

test('A category that the query names comes first', async () => {
  const wire = await start();
  server.tools.add([
    { name: 'gitlab_list_issues', description: 'List issues.', category: 'gitlab', handler: () => 'ok' },
    { name: 'jira_list_issues', description: 'List issues.', category: 'jira', handler: () => 'ok' },
  ]);
  expect((await found(wire, 'list issues in jira'))[0]).toBe('jira_list_issues');
  expect((await found(wire, 'gitlab: list issues'))[0]).toBe('gitlab_list_issues');
});

test('Each tool can be called by its own name, and with call_tool', async () => {
  const wire = await start();
  const args = { orderId: 'o1' };
  const direct = await wire.call('get_order', args);
  const called = await wire.call('call_tool', { name: 'get_order', arguments: args });
  expect(called.result).toEqual(direct.result);
  expect(called.result.structuredContent).toEqual({ orderId: 'o1', state: 'paid' });
});

test('call_tool has the checks and the audit record of the tool', async () => {
  const audit = new RecordingSink();
  const wire = await start({ audit });
  const wrong = { limit: 'many' };
  const called = await wire.call('call_tool', { name: 'list_customers', arguments: wrong });
  expect(called.result).toEqual((await wire.call('list_customers', wrong)).result);
  const named = audit.records.map(({ event }) => [event.name, event.outcome]);
  expect(named).toEqual([
    ['list_customers', 'invalid'],
    ['list_customers', 'invalid'],
  ]);
});

test('call_tool asks for the confirmation of the tool, over rounds', async () => {
  await start();
  const wire = StatelessWire.of(server, 'ann', { elicitation: { form: {} } });
  const args = { name: 'delete_customer', arguments: { customerId: 'c1' } };
  const first = await wire.call('call_tool', args);
  expect(first.result.resultType).toBe('input_required');
  const [key] = Object.keys(first.result.inputRequests);
  const answer = {
    inputResponses: { [key!]: { action: 'accept', content: { confirmed: true, confirm: true } } },
  };
  const last = await wire.call('call_tool', args, { requestState: first.result.requestState, ...answer });
  expect(last.result).toMatchObject({ content: [{ text: expect.stringContaining('deleted c1') }] });
});

test('What cannot be called is an error result, and a hidden tool reads like an unknown one', async () => {
  const audit = new RecordingSink();
  const wire = await start({ audit });
  const textOf = async (name: string, args: object) => {
    const { result } = await wire.call(name, args as Record<string, unknown>);
    expect(result.isError).toBe(true);
    return result.content[0].text as string;
  };
  expect(await textOf('search_tools', { query: '  ' })).toMatch('Say in "query"');
  expect(await textOf('call_tool', { name: 'search_tools', arguments: { query: 'x' } })).toMatch('own name');
  for (const tool of ['call_tool', 'describe_tool']) {
    const unknown = await textOf(tool, { name: 'no_such' });
    const hidden = await textOf(tool, { name: 'see_payroll' });
    expect(hidden.replaceAll('see_payroll', 'no_such').replace(/ Did you mean .*\?/, '')).toBe(
      unknown.replace(/ Did you mean .*\?/, ''),
    );
  }
  expect(await textOf('call_tool', { name: 'get_order', arguments: 'none' })).toMatch('arguments');
  expect(audit.records.at(-1)!.event).toMatchObject({ name: 'call_tool', outcome: 'invalid' });
});

test('A caller finds only what it may use', async () => {
  await start();
  const clerk = as({ subject: 'clerk', scopes: ['payroll'] });
  expect(await found(as(undefined), 'see payroll')).not.toContain('see_payroll');
  expect((await found(clerk, 'see payroll'))[0]).toBe('see_payroll');
  expect((await clerk.call('call_tool', { name: 'see_payroll' })).result.content[0].text).toBe('all');
  expect((await clerk.call('describe_tool', { name: 'see_payroll' })).result.structuredContent.name).toBe(
    'see_payroll',
  );
});

test('A locked tool is found with the scopes that it needs, and its call is the challenge', async () => {
  const wire = await start({ lockedTools: 'listed' });
  const [first] = await search(wire, 'see payroll');
  expect(first).toMatchObject({
    name: 'see_payroll',
    securitySchemes: [{ type: 'oauth2', scopes: ['payroll'] }],
  });
  const { result } = await wire.call('call_tool', { name: 'see_payroll' });
  expect(result).toMatchObject({ isError: true, _meta: { 'mcp/www_authenticate': expect.anything() } });
});

test('describe_tool says everything that a list says', async () => {
  const wire = await start({ toolSearch: { pinned: ['refund_order'] } });
  const { result } = await wire.call('describe_tool', { name: 'refund_order' });
  const listed = (await wire.request('tools/list')).result.tools.at(-1);
  expect(result.structuredContent).toEqual({ ...listed, category: 'orders' });
});

test('A short list is shown as it is; each caller has a list of its own', async () => {
  await start({ toolSearch: { above: 100_000 } });
  expect(await namesOf(as(undefined))).toEqual(
    shopTools.map(({ name }) => name).filter((name) => name !== 'see_payroll'),
  );
  await server.close(0);
  await start({ toolSearch: { above: 10 } });
  expect(await namesOf(as(undefined))).toEqual(['search_tools', 'describe_tool', 'call_tool']);
});

test('call_tool says what the most dangerous tool says', async () => {
  server = await boot({ services: [], toolSearch: true });
  const wire = new StatelessWire(server);
  const hints = async () => (await wire.request('tools/list')).result.tools[2].annotations;
  const add = (name: string, annotations: object) =>
    server.tools.add({ name, description: 'Works.', annotations, handler: () => 'ok' });
  add('look', { readOnlyHint: true, openWorldHint: false });
  expect(await hints()).toEqual({ destructiveHint: false, openWorldHint: false });
  add('erase', { destructiveHint: true, openWorldHint: false });
  expect(await hints()).toEqual({ destructiveHint: true, openWorldHint: false });
  add('fetch', { readOnlyHint: true, openWorldHint: true });
  expect(await hints()).toEqual({ destructiveHint: true, openWorldHint: true });
  for (const name of ['erase', 'fetch']) server.tools.remove(name);
  const versions = ['1', '2'].map((version) => ({
    name: 'tidy',
    version,
    description: 'Tidies.',
    handler: () => 'ok',
    annotations: { destructiveHint: version === '1', openWorldHint: false },
  }));
  server.tools.add(versions);
  expect(await hints()).toEqual({ destructiveHint: true, openWorldHint: false });
});

test('Tools that come and go while the server runs are found and forgotten', async () => {
  const wire = await start();
  server.tools.add({ name: 'print_label', description: 'Print a shipping label.', handler: () => 'ok' });
  expect((await found(wire, 'shipping label'))[0]).toBe('print_label');
  server.tools.remove('print_label');
  expect(await found(wire, 'shipping label')).not.toContain('print_label');
});

test('Options of decorators are words and categories of the search', async () => {
  @McpService({ category: 'staff' })
  class Payroll {
    /** Pays wages. */
    @McpTool({ searchTerms: ['salary'], annotations: { destructiveHint: true } })
    pay_wages() {}
    /** Shows a slip. */
    @McpTool({ category: 'papers' })
    @RequireScopes('payroll')
    show_slip() {}
  }
  const manifest = handMadeManifest({
    file: 'src/payroll.ts',
    name: 'Payroll',
    methods: { pay_wages: [], show_slip: [] },
  });
  const wire = await start({ services: [Payroll], manifest });
  expect((await search(wire, 'salary'))[0]).toMatchObject({ name: 'pay_wages', category: 'staff' });
  const clerk = as({ subject: 'clerk', scopes: ['payroll'] });
  expect((await search(clerk, 'slip'))[0]).toMatchObject({ name: 'show_slip', category: 'papers' });
});

test('Tools for the pages of apps stay in the list, and no model finds them', async () => {
  const wire = await start();
  server.tools.add({
    name: 'page_details',
    description: 'Details for the page.',
    ui: { visibility: ['app'] },
    handler: () => 'ok',
  });
  expect(await namesOf(wire)).toContain('page_details');
  expect(await found(wire, 'page details')).not.toContain('page_details');
});

test('call_tool has no `around` of its own: the tool that it calls has one', async () => {
  const seen: string[] = [];
  const wire = await start({
    rateLimit: { points: () => 100 },
    around: (
      _principal: unknown,
      run: () => Promise<void>,
      { operation }: { operation: { name: string } },
    ) => {
      seen.push(operation.name);
      return run();
    },
  });
  server.tools.add({ name: 'ship_order', description: 'Ship.', handler: () => 'shipped' });
  const { result } = await wire.call('call_tool', { name: 'ship_order' });
  expect(result.content[0].text).toBe('shipped');
  await wire.call('call_tool', { name: 'no_such_tool' });
  expect(seen).toEqual(['ship_order']);
});
