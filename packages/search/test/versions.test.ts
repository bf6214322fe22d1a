import { RequireScopes, type McpServer } from '@toolwright/core';
import { boot } from '../../core/test/support/booting.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';

type ToolDefinition = Parameters<McpServer['tools']['add']>[0];

let server: McpServer;
afterEach(() => server.close(0));

const tool = (name: string, description: string, more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description,
  annotations: { readOnlyHint: true, openWorldHint: false },
  handler: () => `${name} ${more.version ?? ''}`.trim(),
  ...more,
});

const start = async (tools: readonly ToolDefinition[], options: object = {}) => {
  server = await boot({ services: [], toolSearch: true, ...options });
  server.tools.add(tools);
  return new StatelessWire(server);
};

const searched = async (wire: StatelessWire, query: string, limit = 5) => {
  const { result } = await wire.call('search_tools', { query, limit });
  return result.structuredContent.tools as { name: string; description: string; deprecated?: boolean }[];
};

const versions = [
  tool('find_pages', 'Find pages by their words.', { version: '1' }),
  tool('find_pages', 'Find pages by their meaning.', { version: '2' }),
];

test('call_tool and describe_tool know the versions of a tool, as a call by name does', async () => {
  const wire = await start(versions);
  for (const name of ['find_pages', 'find_pages.v1', 'find_pages.v2']) {
    const direct = await wire.call(name);
    expect(direct.result.content[0].text).toMatch('find_pages');
    expect((await wire.call('call_tool', { name })).result).toEqual(direct.result);
    expect((await wire.call('describe_tool', { name })).result.structuredContent).toMatchObject({ name });
  }
  const { result } = await wire.call('describe_tool', { name: 'find_pages.v1' });
  expect(result.structuredContent.description).toBe('Find pages by their words.');
  // A search finds the newest version, under the bare name.
  expect((await searched(wire, 'find pages')).map(({ name }) => name)).toEqual(['find_pages']);
});

test('A version that comes, changes and goes is known at once', async () => {
  const wire = await start(versions);
  const textOf = async (name: string) =>
    (await wire.call('call_tool', { name })).result.content[0].text as string;
  expect(await textOf('find_pages.v3')).toMatch('Unknown tool');
  server.tools.add(tool('find_pages', 'Find pages.', { version: '3' }));
  expect(await textOf('find_pages.v3')).toBe('find_pages 3');
  server.tools.remove('find_pages.v1');
  expect(await textOf('find_pages.v1')).toMatch('Unknown tool');
});

test('A version that the caller may not use reads like an unknown one', async () => {
  await start([
    versions[1]!,
    tool('find_pages', 'Find pages.', { version: '1', policies: [RequireScopes.entry('old')] }),
  ]);
  const as = (...scopes: string[]) =>
    new StatelessWire(server, { principal: { subject: 'ann', scopes }, ip: undefined, transport: 'memory' });
  for (const by of ['call_tool', 'describe_tool']) {
    const { result } = await as().call(by, { name: 'find_pages.v1' });
    expect(result.content[0].text).toMatch('Unknown tool: "find_pages.v1"');
    expect((await as('old').call(by, { name: 'find_pages.v1' })).result.isError).not.toBe(true);
  }
});

test('call_tool is as dangerous as the most dangerous version behind it', async () => {
  const wire = await start([
    tool('clean_up', 'Clean up.', { version: '1', annotations: { destructiveHint: true } }),
    tool('clean_up', 'Clean up.', { version: '2' }),
  ]);
  const { tools } = (await wire.request('tools/list')).result;
  const caller = tools.find(({ name }: { name: string }) => name === 'call_tool');
  expect(caller.annotations).toEqual({ destructiveHint: true, openWorldHint: true });
});

const replaced = [
  tool('list_invoices', 'List invoices of a customer.', { replacedBy: 'query_ledger', since: '3.0' }),
  tool('find_invoices', 'Find invoices.'),
  tool('query_ledger', 'Answer questions about the books.'),
];

test('A search says what is deprecated, and has the successor before it', async () => {
  const wire = await start(replaced);
  const found = await searched(wire, 'list invoices of a customer');
  expect(found.map(({ name }) => name).slice(0, 2)).toEqual(['query_ledger', 'list_invoices']);
  expect(found[1]).toMatchObject({
    deprecated: true,
    description: 'Deprecated since 3.0. Use query_ledger. List invoices of a customer.',
  });
  expect(found[0]).not.toHaveProperty('deprecated');
  const described = (await wire.call('describe_tool', { name: 'list_invoices' })).result.structuredContent;
  expect(described).toMatchObject({ deprecated: true, description: expect.stringMatching(/^Deprecated/) });
  // The place of the deprecated tool is that of its successor.
  expect((await searched(wire, 'list invoices of a customer', 1)).map(({ name }) => name)).toEqual([
    'query_ledger',
  ]);
});

test('A successor that the caller may not use is not found, and a circle of successors ends', async () => {
  const wire = await start([
    tool('list_bills', 'List bills.', { replacedBy: 'list_secret_bills' }),
    tool('list_secret_bills', 'List all bills.', { policies: [RequireScopes.entry('all')] }),
    tool('read_mail', 'Read mail.', { replacedBy: 'open_mail' }),
    tool('open_mail', 'Open mail.', { replacedBy: 'read_mail' }),
  ]);
  expect((await searched(wire, 'list bills')).map(({ name }) => name)).toEqual(['list_bills']);
  expect((await searched(wire, 'read mail')).map(({ name }) => name).sort()).toEqual([
    'open_mail',
    'read_mail',
  ]);
});

test('A successor may be named by its version', async () => {
  const wire = await start([
    ...versions,
    tool('grep_pages', 'Find pages by an expression.', { replacedBy: 'find_pages.v2' }),
  ]);
  const found = await searched(wire, 'find pages by an expression');
  expect(found.map(({ name }) => name)).toEqual(['find_pages', 'grep_pages']);
});

test.each(['call_tool', 'describe_tool'])(
  '%s repeats the beginning of a name that is too long',
  async (by) => {
    const wire = await start(versions);
    const { result } = await wire.call(by, { name: 'x'.repeat(900_000) });
    const { text } = result.content[0] as { text: string };
    expect(text).toContain(`Unknown tool: "${'x'.repeat(200)}…"`);
    expect(text.length).toBeLessThan(400);
  },
);
