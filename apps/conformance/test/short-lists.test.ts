import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type McpClient } from '@toolwright/client';
import { createMcpServer, type ToolResult } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { tokensOf, tokensOfTool, type ToolInList } from '@toolwright/json';
import { type CostChange, costsOf, openAuditSink } from '../../../packages/audit/src/index.js';
import { LISTED_INSTEAD, shortLists } from '../../../packages/audit/src/costs/short-lists.js';
import { codeSettingsOf } from '../../../packages/code/src/code-options.js';
import { sampleEvent } from '../../../packages/audit/test/sample-event.js';

const SHELVES = 60;

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** A client of a server whose tools give some hundred tokens each. */
async function openWith(options: object, tools = SHELVES): Promise<McpClient> {
  const server = await createMcpServer({
    name: 'shelves',
    version: '1',
    services: [],
    audit: false,
    logger: silentLogger,
    ...options,
  });
  const text = (description: string) => ({ type: 'string', description });
  for (let at = 0; at < tools; at++)
    server.tools.add({
      name: `list_shelf_${at}`,
      description: `List the books of shelf ${at}, sorted by title. Books that are lent come last.`,
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: 'object',
        properties: { author: text('Only books of this author.'), year: { type: 'integer', minimum: 1450 } },
      },
      handler: () => `A book of shelf ${at}. `.repeat(50),
    });
  const client = await connect(server);
  open.push({ close: () => server.close(0) }, client);
  return client;
}

const sizeOf = (tools: readonly ToolInList[]) => tools.reduce((sum, tool) => sum + tokensOfTool(tool), 0);
const read = ({ structuredContent, content }: ToolResult) => tokensOf(structuredContent ?? content);

// `toolwright usage --tools` says what these packages would save, also where they are not installed.
test.each([
  ['search', { toolSearch: true }],
  ['code', { codeMode: { declarations: 0 } }],
] as const)('the list with %s takes what advice about costs says', async (kind, options) => {
  const tools = await (await openWith(options, 1)).tools();
  expect(tools.map(({ name }) => name).filter((name) => !LISTED_INSTEAD.has(name))).toEqual([]);
  expect(sizeOf(tools)).toBeLessThanOrEqual(shortLists[kind].tokens);
  expect(sizeOf(tools)).toBeGreaterThan(shortLists[kind].tokens * 0.9);
});

test('a program makes as many calls as the advice says', () => {
  expect(codeSettingsOf(true)).toMatchObject({ limits: { calls: shortLists.code.calls } });
});

test('a search finds as many tools as the advice says', async () => {
  const tools = await (await openWith({ toolSearch: true }, 1)).tools();
  const { properties } = tools.find(({ name }) => name === 'search_tools')!.inputSchema;
  expect(properties).toMatchObject({ limit: { default: shortLists.search.found } });
});

describe('what is read less is no less than the advice says', () => {
  /** Somebody lists the first shelf again and again, and two others. */
  const chain = [0, 1, 0, 2, 0];
  const CHAINS = 20;

  /** What models have read of the whole list, and the changes that its log leads to. */
  async function withoutChange(): Promise<{ before: number; changes: readonly CostChange[] }> {
    const client = await openWith({});
    const folder = mkdtempSync(join(tmpdir(), 'short-lists-'));
    open.push({ close: async () => rmSync(folder, { recursive: true }) });
    const file = join(folder, 'audit.jsonl');
    const sink = await openAuditSink({ file });
    const tools = await client.tools();
    let before = 0;
    for (let at = 0; at < CHAINS; at++)
      for (const [step, shelf] of chain.entries()) {
        const name = `list_shelf_${shelf}`;
        const { content } = (await client.call(name, {})) as ToolResult;
        const time = 1_785_225_600_000 + at * 600_000 + step * 5_000;
        await sink.write(sampleEvent({ name, time, result: JSON.stringify(content) }), 'buffered');
        before += sizeOf(tools) + tokensOf(content);
      }
    await sink.close();
    return { before, changes: (await costsOf({ file, tools })).changes };
  }

  test('with a search', async () => {
    const { before, changes } = await withoutChange();
    const change = changes.find(({ kind }) => kind === 'search')!;
    expect(change.tools).toContain('list_shelf_0');
    const client = await openWith({ toolSearch: { pinned: change.tools } });
    const list = sizeOf(await client.tools());
    let after = 0;
    for (let at = 0; at < CHAINS; at++)
      for (const shelf of chain) {
        const name = `list_shelf_${shelf}`;
        if (!change.tools.includes(name))
          after +=
            list +
            read((await client.call('search_tools', { query: `books of shelf ${shelf}` })) as ToolResult);
        after +=
          list + tokensOf(((await client.call('call_tool', { name, arguments: {} })) as ToolResult).content);
      }
    expect(before - after).toBeGreaterThanOrEqual(change.tokens);
    expect(change.tokens).toBeGreaterThan((before - after) / 2);
  });

  test('with programs', async () => {
    const { before, changes } = await withoutChange();
    const change = changes.find(({ kind }) => kind === 'code')!;
    const client = await openWith({ codeMode: true });
    const list = sizeOf(await client.tools());
    const calls = chain.map((shelf) => `await tools.list_shelf_${shelf}({})`);
    const code = `${calls.slice(0, -1).join('; ')}; return ${calls.at(-1)}`;
    let after = 0;
    for (let at = 0; at < CHAINS; at++) {
      after += list + read((await client.call('search_tools', { query: 'books of a shelf' })) as ToolResult);
      after += list + read((await client.call('run_code', { code })) as ToolResult);
    }
    expect(before - after).toBeGreaterThanOrEqual(change.tokens);
    expect(change.tokens).toBeGreaterThan((before - after) / 2);
  });
});
