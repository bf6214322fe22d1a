import { connect } from '@toolwright/client';
import { createMcpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { tokensOfTool } from '@toolwright/json';
import { LISTED_INSTEAD, shortLists } from '../../../packages/audit/src/costs/short-lists.js';

/** What a server with one tool lists in place of it. */
async function listWith(options: object) {
  const server = await createMcpServer({
    name: 'small',
    version: '1',
    services: [],
    audit: false,
    logger: silentLogger,
    ...options,
  });
  server.tools.add({
    name: 'echo',
    description: 'Echo.',
    annotations: { readOnlyHint: true },
    handler: () => '',
  });
  const client = await connect(server);
  const tools = await client.tools();
  await client.close();
  await server.close(0);
  return { tools, tokens: tools.reduce((sum, tool) => sum + tokensOfTool(tool), 0) };
}

// `toolwright usage --tools` says what these packages would save, also where they are not installed.
test.each([
  ['search', { toolSearch: true }],
  ['code', { codeMode: { declarations: 0 } }],
] as const)('the list with %s takes what advice about costs says', async (kind, options) => {
  const { tools, tokens } = await listWith(options);
  expect(tools.map(({ name }) => name).filter((name) => !LISTED_INSTEAD.has(name))).toEqual([]);
  expect(tokens).toBeLessThanOrEqual(shortLists[kind].tokens);
  expect(tokens).toBeGreaterThan(shortLists[kind].tokens * 0.9);
});

test('a search finds as many tools as the advice says', async () => {
  const { tools } = await listWith({ toolSearch: true });
  const { properties } = tools.find(({ name }) => name === 'search_tools')!.inputSchema;
  expect(properties).toMatchObject({ limit: { default: shortLists.search.found } });
});
