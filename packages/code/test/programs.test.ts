import * as module from 'node:module';
import { createMcpServer, type McpServer, text } from '@toolwright/core';
import { connect, type McpClient } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';

let server: McpServer;
let client: McpClient;
const said: string[] = [];

beforeAll(async () => {
  server = await createMcpServer({
    name: 'shop',
    version: '1.0.0',
    codeMode: { calls: 5, time: '1s' },
    logger: silentLogger,
  });
  const open = { type: 'object' } as const;
  server.tools.add([
    {
      name: 'find_orders',
      description: 'Find orders.',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { limit: { type: 'integer' } } },
      outputSchema: { type: 'object', properties: { orders: { type: 'array' } } },
      handler: ({ limit = 2 }) => ({ orders: Array.from({ length: limit as number }, (_, id) => ({ id })) }),
    },
    {
      name: 'say-it',
      description: 'Say it.',
      inputSchema: open,
      handler: ({ what }) => {
        said.push(String(what));
        return text(`said ${String(what)}`);
      },
    },
    {
      name: 'fail',
      description: 'Fail.',
      inputSchema: open,
      handler: () => {
        throw new Error('secret');
      },
    },
  ]);
  client = await connect(server);
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const run = async (code: string) => client.call('run_code', { code });

test('lists run_code first, and no call_tool', async () => {
  expect((await client.tools()).map(({ name }) => name)).toEqual([
    'run_code',
    'search_tools',
    'describe_tool',
  ]);
});

test.each([
  ['return 1 + 1', { result: 2 }],
  ['', { result: null }],
  ['console.log("a", { b: 1 }); return "x"', { result: 'x', logs: ['a {"b":1}'] }],
  ['const { orders } = await tools.find_orders({ limit: 3 }); return orders.length', { result: 3 }],
  ['return await tools["say-it"]({ what: "hi" })', { result: 'said hi' }],
  ['async () => (await tools.find_orders()).orders', { result: [{ id: 0 }, { id: 1 }] }],
  ['(async () => { await tools.find_orders(); return 5 })();', { result: 5 }],
  ['export default async () => 4', { result: 4 }],
  ['```js\nreturn (await tools.find_orders()).orders.length\n```', { result: 2 }],
  ['async function main() { return 6 }', { result: 6 }],
  ['(await tools.find_orders({ limit: 1 })).orders', { result: [{ id: 0 }] }],
  [
    'return [typeof process, typeof require, typeof fetch, typeof setTimeout, Object.getPrototypeOf(tools), typeof tools.then]',
    { result: ['undefined', 'undefined', 'undefined', 'undefined', null, 'undefined'] },
  ],
  [
    'return (await Promise.allSettled([tools.nothing(), tools.run_code({ code: "1" }), tools.fail()])).map(({ reason }) => reason.message)',
    {
      result: [
        expect.stringContaining('Unknown tool: "nothing"'),
        expect.stringContaining('by their own names'),
        expect.not.stringContaining('secret'),
      ],
    },
  ],
])('%s', async (code, expected) => {
  expect((await run(code)).structuredContent).toEqual(expected);
});

test('what a program began without waiting for it is done, too', async () => {
  said.length = 0;
  const code = `async function main() { await tools['say-it']({ what: 1 }); await tools['say-it']({ what: 2 }) }\nmain(); return 'x'`;
  expect((await run(code)).structuredContent).toMatchObject({ result: 'x' });
  expect(said).toEqual(['1', '2']);
});

test('a name with an underscore in place of a dash leads to the tool', async () => {
  const { content } = await run(`return tools.say_it({ what: 1 })`);
  expect(JSON.stringify(content)).toContain('Did you mean \\"say-it\\"?');
});

const typed = `type Order = { id: number };\nconst ids = async (most: number): Promise<number[]> =>\n  (await tools.find_orders({ limit: most } as object)).orders.map((order: Order) => order.id!);\nreturn ids(3)`;

test('type annotations are taken out where Node.js can, and refused clearly elsewhere', async () => {
  const { structuredContent, content } = await run(typed);
  if ('stripTypeScriptTypes' in module) {
    expect(structuredContent).toEqual({ result: [0, 1, 2] });
    expect(JSON.stringify((await run('enum A { B }\nreturn A.B')).content)).toContain(
      'type annotations only',
    );
  } else expect(JSON.stringify(content)).toContain('takes JavaScript without them');
});

test.each([
  ['throw new TypeError("no")', 'TypeError: no (line 1)'],
  ['\nlet a;\na.b', '(line 3)'],
  ['while (true) {}', 'may work 1000 ms'],
  ['try { await (async () => { while (true) {} })() } catch {}; return 1', 'may work 1000 ms'],
  ['const a = []; for (;;) a.push(new ArrayBuffer(10_000_000))', 'memory'],
  ['await new Promise(() => {})', 'never comes'],
  ['return () => 1', 'has a function'],
  ['for (let i = 0; i < 9; i++) await tools.find_orders()', '5 calls'],
  ['return "x".repeat(2_000_000)', 'bytes'],
  ['const x', 'const'],
  ['try { eval("[".repeat(100_000)) } catch {} return 1', 'a text that it evaluates, is nested too deeply'],
  ['let a = {}; for (let i = 0; i < 99; i++) a = [a]; return a', '60 levels deep'],
  ['let a = {}; for (let i = 0; i < 500; i++) a = { a }; await tools.find_orders(a)', '60 levels deep'],
])('%s is an error', async (code, expected) => {
  const result = await run(code);
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result.content)).toContain(expected);
});

test('a long error is cut where the program runs, so that the server has little to clean', async () => {
  const { isError, content } = await run('throw new Error("\\u001b".repeat(2_000_000))');
  expect(isError).toBe(true);
  expect((content[0] as { text: string }).text).toBe(`${'\\u{1b}'.repeat(65_536)} … [cut] (line 1)`);
});

test('a program finds tools and reads about them', async () => {
  const code = `const { tools: [found] } = await tools.search_tools({ query: 'orders' });
    const told = await tools.describe_tool({ name: found.name });
    return [found.name, told.name, typeof found.declaration]`;
  expect((await run(code)).structuredContent).toEqual({ result: ['find_orders', 'find_orders', 'string'] });
});
