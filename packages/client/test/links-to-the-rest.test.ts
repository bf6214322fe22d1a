import {
  Confirm,
  createMcpServer,
  embedded,
  MaxOutput,
  text,
  type McpServer,
  type Principal,
} from '@toolwright/core';
import { connect, type McpClient } from '../src/index.js';

const rows = Array.from({ length: 300 }, (_, id) => ({ id, name: `row ${id}` }));
const file = Buffer.from(Array.from({ length: 3_000 }, (_, at) => at % 256));
const ann: Principal = { subject: 'ann', scopes: [] };
let server: McpServer;
let runs: number;

beforeEach(async () => {
  runs = 0;
  server = await createMcpServer({ name: 'rows', version: '1', services: [], audit: false });
  const policies = [MaxOutput.entry({ bytes: 1_500, link: true })];
  const made = (
    name: string,
    readOnlyHint: boolean,
    handler: () => unknown,
    outputSchema?: { type: string; properties: object },
  ) =>
    server.tools.add({
      name,
      description: 'Has much to say.',
      annotations: { readOnlyHint, destructiveHint: !readOnlyHint },
      policies,
      ...(outputSchema && { outputSchema }),
      inputSchema: { type: 'object', properties: { of: { type: 'string' } } },
      handler: () => (runs++, handler()),
    });
  for (const kind of ['read', 'write']) {
    const reads = kind === 'read';
    made(`${kind}_rows`, reads, () => ({ rows }), {
      type: 'object',
      properties: { rows: { type: 'array' } },
    });
    made(`${kind}_text`, reads, () => 'ä word '.repeat(1_000));
    made(`${kind}_file`, reads, () => [
      text('The file.'),
      embedded({ uri: 'a://b.bin', mimeType: 'image/x-raw', blob: file.toString('base64') }),
    ]);
  }
});

afterEach(() => server.close(0));

interface Link {
  readonly uri: string;
  readonly mimeType: string;
}
const linkOf = (result: { content: readonly unknown[] }) =>
  (result.content as { type: string }[]).find(({ type }) => type === 'resource_link') as Link | undefined;

async function linkFrom(client: McpClient, name: string): Promise<Link> {
  return linkOf(await client.call(name, { of: 'x' }))!;
}

describe.each(['2026-07-28', '2025-11-25', '2025-06-18'] as const)('on %s', (revision) => {
  const client = () => connect(server, { revision, principal: ann });

  test('a server with such a tool offers resources, and lists none for it', async () => {
    expect((await client()).server.capabilities).toHaveProperty('resources');
    expect(await (await client()).resources()).toEqual([]);
  });

  test.each([
    ['read', 2],
    ['write', 1],
  ])('the rest of what tools %s is read in one piece', async (kind, times) => {
    const ours = await client();
    const first = await ours.call(`${kind}_rows`, { of: 'x' });
    const { uri } = linkOf(first)!;
    const { contents } = await ours.read(uri);
    const shown = (first.structuredContent as { rows: object[] }).rows;
    expect(contents).toEqual([{ uri, mimeType: 'application/json', text: expect.any(String) as string }]);
    const { rows: rest } = JSON.parse(contents[0]!.text!) as { rows: object[] };
    expect([...shown, ...rest]).toEqual(rows);
    expect(runs).toBe(times);

    const prose = await ours.call(`${kind}_text`);
    const heard = await ours.read(linkOf(prose)!.uri);
    expect((prose.content[0] as { text: string }).text + heard.contents[0]!.text!).toBe(
      'ä word '.repeat(1_000),
    );

    const cut = await ours.call(`${kind}_file`);
    const bytes = await ours.read(linkOf(cut)!.uri);
    const begun = (cut.content[1] as { resource: { blob: string } }).resource.blob;
    expect(bytes.contents[0]).toMatchObject({ uri: linkOf(cut)!.uri, mimeType: 'image/x-raw' });
    expect(
      Buffer.concat([begun, bytes.contents[0]!.blob!].map((part) => Buffer.from(part, 'base64'))),
    ).toEqual(file);
  });
});

test('before links were known, the link is text that a client can read all the same', async () => {
  const client = await connect(server, { revision: '2025-03-26', principal: ann });
  const { content } = await client.call('read_rows');
  const [uri] = /toolwright-rest:\S+/.exec(JSON.stringify(content))!;
  expect((await client.read(uri.replace(/\W*$/, ''))).contents).toHaveLength(1);
});

test('each further part has a link, too', async () => {
  const client = await connect(server, { principal: ann });
  const first = await client.call('write_rows');
  const cursor = /"cursor": "([^"]+)"/.exec(JSON.stringify(first.content).replaceAll('\\', ''))![1]!;
  const second = await client.call('write_rows', { cursor });
  const [early, late] = await Promise.all(
    [first, second].map(async (part) => {
      const { contents } = await client.read(linkOf(part)!.uri);
      return (JSON.parse(contents[0]!.text!) as { rows: object[] }).rows;
    }),
  );
  expect(early!.length).toBeGreaterThan(late!.length);
  expect(early!.slice(-late!.length)).toEqual(late);
  expect(runs).toBe(1);
});

test('data that has changed is not read as a rest', async () => {
  const client = await connect(server, { principal: ann });
  const { uri } = await linkFrom(client, 'read_rows');
  rows.push({ id: 300, name: 'new' });
  try {
    await expect(client.read(uri)).rejects.toMatchObject({
      code: 409,
      message: expect.stringContaining('the data has changed') as string,
    });
  } finally {
    rows.pop();
  }
});

test('a tool has a link only if its author says so, and a call whose arguments are long has none', async () => {
  server.tools.add({
    name: 'plain',
    description: 'Has much to say.',
    annotations: { readOnlyHint: true },
    policies: [MaxOutput.entry({ bytes: 500 })],
    handler: () => rows,
  });
  const client = await connect(server, { principal: ann });
  expect(linkOf(await client.call('plain'))).toBeUndefined();
  const long = await client.call('read_rows', { of: 'x'.repeat(4_000) });
  expect(linkOf(long)).toBeUndefined();
  expect(JSON.stringify(long.content)).toContain('cursor');
});

test('what was kept is read as long as the tool has its contract, and never of a tool that is gone', async () => {
  const client = await connect(server, { principal: ann });
  const { uri } = await linkFrom(client, 'write_rows');
  server.tools.update('write_rows', { handler: () => 'other' });
  await expect(client.read(uri)).resolves.toMatchObject({ contents: [{ mimeType: 'application/json' }] });
  server.tools.remove('write_rows');
  await expect(client.read(uri)).rejects.toMatchObject({ code: -32602 });
});

describe.each([true, false])('a version of a tool with readOnlyHint: %s', (readOnlyHint) => {
  const version = (number: string) => ({
    name: 'list',
    description: 'Lists rows.',
    annotations: { readOnlyHint },
    version: number,
    policies: [MaxOutput.entry({ bytes: 1_500, link: true })],
    handler: () => rows,
  });
  const cursorIn = (result: { content: readonly unknown[] }) =>
    /"cursor": "([^"]+)"/.exec(JSON.stringify(result.content).replaceAll('\\', ''))?.[1];

  test('a cursor is good for each name of its version, and for no other version', async () => {
    server.tools.add([version('1'), version('2')]);
    const client = await connect(server, { principal: ann });
    for (const first of ['list', 'list.v2']) {
      const cursor = cursorIn(await client.call(first))!;
      const [one, two] = [await client.call('list', { cursor }), await client.call('list.v2', { cursor })];
      expect(one.isError).toBeUndefined();
      expect(two.content[0]).toEqual(one.content[0]);
      expect((await client.call('list.v1', { cursor })).isError).toBe(true);
    }
  });

  test('cursors and links go on when a newer version has come', async () => {
    server.tools.add(version('1'));
    const client = await connect(server, { principal: ann });
    const first = await client.call('list');
    server.tools.add({ ...version('2'), handler: () => [] });
    const cursor = cursorIn(first)!;
    expect((await client.call('list.v1', { cursor })).isError).toBeUndefined();
    expect((await client.call('list', { cursor })).isError).toBe(true);
    const { contents } = await client.read(linkOf(first)!.uri);
    expect(contents[0]!.text).toContain('row 299');
  });
});

test.each([true, undefined])(
  'a next part of a confirmed call is given with confirmed: %s',
  async (confirmed) => {
    server.tools.add({
      name: 'archive',
      description: 'Archives rows, and lists them.',
      annotations: { destructiveHint: true },
      policies: [
        MaxOutput.entry({ bytes: 500, link: true }),
        Confirm.entry('Sure?', { fallback: 'argument' }),
      ],
      inputSchema: { type: 'object', properties: {} },
      handler: () => (runs++, rows),
    });
    const client = await connect(server, { principal: ann });
    await client.call('archive');
    const first = await client.call('archive', { confirmed: true });
    expect(runs).toBe(1);
    const cursor = /"cursor": "([^"]+)"/.exec((first.content[1] as { text: string }).text)![1];
    const part = await client.call('archive', { cursor, ...(confirmed && { confirmed }) });
    expect(part).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('row 2') as string }, {}, {}],
    });
    expect((await client.read(linkOf(first)!.uri)).contents[0]!.text).toContain('row 299');
    expect(runs).toBe(1);
  },
);
