import { createMcpServer, MaxOutput, type McpServer } from '@toolwright/core';
import { connect } from '../src/index.js';

const rows = Array.from({ length: 300 }, (_, id) => ({ id, name: `row ${id}` }));
let server: McpServer;
let runs: number;

beforeEach(async () => {
  runs = 0;
  server = await createMcpServer({ name: 'rows', version: '1', services: [], audit: false });
  const shared = {
    description: 'Lists rows.',
    policies: [MaxOutput.entry({ tokens: 500 })],
    inputSchema: {
      type: 'object' as const,
      properties: { table: { type: 'string', default: 'a' } },
      required: ['table'],
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: { rows: { type: 'array' } }, required: ['rows'] },
    handler: () => {
      runs++;
      return { rows };
    },
  };
  server.tools.add({ ...shared, name: 'list_rows', annotations: { readOnlyHint: true } });
  server.tools.add({ ...shared, name: 'archive_rows', annotations: { destructiveHint: true } });
});

afterEach(() => server.close(0));

describe.each(['2026-07-28', '2025-11-25', '2025-06-18'] as const)('on %s', (revision) => {
  test.each(['list_rows', 'archive_rows'])('a client that follows the notes gets all of %s', async (name) => {
    const client = await connect(server, { revision });
    const { inputSchema } = (await client.tools()).find((tool) => tool.name === name)!;
    expect(inputSchema).toMatchObject({
      properties: {
        cursor: { type: 'string', description: expect.stringContaining('cursor of its note') as string },
      },
      required: ['table'],
    });
    const got: object[] = [];
    let parts = 0;
    for (let cursor: string | undefined; parts === 0 || cursor !== undefined; parts++) {
      const given = { table: 'a', ...(cursor !== undefined && { cursor }) };
      const { structuredContent, content, isError } = await client.call(name, given);
      expect(isError ?? false).toBe(false);
      got.push(...(structuredContent as { rows: object[] }).rows);
      const [, note] = content as { text: string }[];
      cursor = /"cursor": "([^"]+)"/.exec(note?.text ?? '')?.[1];
    }
    expect(got).toEqual(rows);
    expect(parts).toBeGreaterThan(3);
    expect(runs).toBe(name === 'list_rows' ? parts : 1);
    await client.close();
  });
});

test('a destructive tool with a forged cursor does nothing', async () => {
  const client = await connect(server);
  const { isError } = await client.call('archive_rows', { table: 'a', cursor: 'AAAA' });
  expect(isError).toBe(true);
  expect(runs).toBe(0);
  await client.close();
});
