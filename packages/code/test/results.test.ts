import {
  audio,
  createMcpServer,
  image,
  MaxOutput,
  type McpServer,
  RateLimit,
  resourceLink,
  text,
  ToolError,
} from '@toolwright/core';
import { connect, type McpClient } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';

type Definition = Parameters<McpServer['tools']['add']>[0];

const open = { type: 'object' } as const;
const long = 'x'.repeat(3_000);
const link = { uri: 'https://example.com/a', name: 'a' };
const list = { type: 'array', items: { type: 'integer' } } as const;

const tool = (name: string, handler: Definition['handler'], more: Partial<Definition> = {}): Definition => ({
  name,
  description: `Does ${name}.`,
  inputSchema: open,
  handler,
  ...more,
});

const tools: Definition[] = [
  tool('object', () => ({ at: new Date(0), big: 2n }), { outputSchema: open }),
  tool('list', () => [1, 2], { outputSchema: list }),
  tool('number', () => 7, { outputSchema: { type: 'integer' } }),
  tool('nothing', () => null, { outputSchema: { type: 'null' } }),
  tool('one', () => text('one')),
  tool('two', () => [text('a'), text('b')]),
  tool('picture', () => image('aGk=', 'image/png')),
  tool('sound', () => audio('aGk=', 'audio/wav')),
  tool('linked', () => resourceLink(link)),
  tool(
    'stream',
    async function* () {
      yield 1;
      yield 2;
    },
    { outputSchema: list },
  ),
  tool(
    'task',
    async (_args, ctx) => {
      await ctx.startTask();
      return text('done');
    },
    { task: { mode: 'required', start: 'explicit' } },
  ),
  tool('long', () => text(long), { policies: [MaxOutput.entry({ bytes: 200 })] }),
  tool('too_long', () => text(long + long)),
  tool('refuse', () => {
    throw new ToolError('Not today.', { code: 'CLOSED', meta: { retryAfterMs: 5 } });
  }),
  tool('break', () => {
    throw new Error('secret');
  }),
  tool('limited', () => 'ok', { policies: [RateLimit.entry({ points: () => 0, per: '1m' })] }),
  tool('strict', () => 'ok', {
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  }),
];

let server: McpServer;
beforeAll(async () => {
  server = await createMcpServer({
    name: 'shop',
    version: '1.0.0',
    logger: silentLogger,
    codeMode: { result: 4_000 },
  });
  server.tools.add(tools);
});
afterAll(() => server.close());

const values = {
  object: { at: '1970-01-01T00:00:00.000Z', big: 2 },
  list: [1, 2],
  number: 7,
  nothing: null,
  one: 'one',
  two: [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ],
  picture: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }],
  sound: [{ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }],
  linked: [{ type: 'resource_link', ...link }],
  stream: [1, 2],
  task: 'done',
};

const failures = {
  too_long: {
    code: 'TW_OUTPUT_TOO_LARGE',
    message: expect.stringContaining('6002 bytes, and a program may get 4000'),
  },
  refuse: { message: 'Not today.', code: 'CLOSED', retryAfterMs: 5 },
  break: { message: expect.not.stringContaining('secret'), code: 'TW_INTERNAL' },
  limited: { message: expect.any(String), code: 'TW_RATE_LIMITED', retryAfterMs: 60_000 },
  strict: { message: expect.stringContaining('id'), code: 'TW_INVALID_ARGUMENTS' },
  nobody: { message: expect.stringContaining('Unknown tool: "nobody"'), code: 'TW_UNKNOWN_NAME' },
};

describe.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const)(
  'in revision %s',
  (revision) => {
    let client: McpClient;
    beforeAll(async () => void (client = await connect(server, { revision })));
    afterAll(() => client.close());

    // Older revisions have no structured content: it is in the text.
    const run = async (code: string) => {
      const { content, isError } = (await client.call('run_code', { code })) as {
        content: { text: string }[];
        isError?: boolean;
      };
      return isError ? content[0]!.text : (JSON.parse(content[0]!.text) as { result: unknown }).result;
    };

    test('a program gets the natural value of every kind of result', async () => {
      const names = JSON.stringify(Object.keys(values));
      expect(
        await run(
          `return Object.fromEntries(await Promise.all(${names}.map(async (name) => [name, await tools[name]()])))`,
        ),
      ).toEqual(values);
      expect(await run('return (await tools.long()).length')).toBe(long.length);
    });

    test('what a call fails with has the words of the tool, a code, and when to try again', async () => {
      const names = JSON.stringify(Object.keys(failures));
      const found =
        await run(`return Object.fromEntries(await Promise.all(${names}.map((name) => tools[name]({}).catch((error) => {
      if (!(error instanceof Error)) throw error;
      return [name, { message: error.message, code: error.code, retryAfterMs: error.retryAfterMs }];
    }))))`);
      expect(found).toEqual(failures);
    });
  },
);

test('the own result of a program obeys the budget for models, and is never cut in the middle of JSON', async () => {
  const bounded = await createMcpServer({
    name: 'shop',
    version: '1.0.0',
    logger: silentLogger,
    codeMode: true,
    output: { maxBytes: 2_000 },
  });
  bounded.tools.add(tools);
  const client = await connect(bounded);
  const { structuredContent, content } = await client.call('run_code', {
    code: 'return Array(2_000).fill((await tools.long()).length)',
  });
  const { result } = structuredContent as { result: number[] };
  expect(result).toEqual(Array(397).fill(long.length));
  expect(JSON.stringify(content)).toContain('1603 of 2000 items');
  await client.close();
  await bounded.close();
});

test('a log of empty lines has an end, too', async () => {
  const patient = await createMcpServer({
    name: 'shop',
    version: '1.0.0',
    logger: silentLogger,
    codeMode: { time: '30s' },
  });
  const code = 'for (let i = 0; i < 25_000; i++) console.log(""); return 1';
  const client = await connect(patient);
  const result = await client.call('run_code', { code });
  expect([result.isError, JSON.stringify(result.content)]).toEqual([
    true,
    expect.stringContaining('bytes to its log'),
  ]);
  await client.close();
  await patient.close();
});
