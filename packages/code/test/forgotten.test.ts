import { createMcpServer, type McpServer, ToolError } from '@toolwright/core';
import { connect, type McpClient } from '@toolwright/testing';

// What models forget: await, return, and what JSON has no form for. None of it is lost without a word.

let server: McpServer;
let client: McpClient;

beforeAll(async () => {
  server = await createMcpServer({ name: 'shop', version: '1.0.0', codeMode: true });
  const open = { type: 'object' } as const;
  server.tools.add([
    {
      name: 'find',
      description: 'Find.',
      annotations: { readOnlyHint: true },
      inputSchema: open,
      outputSchema: open,
      handler: (args) => ({ ...args }),
    },
    {
      name: 'fail',
      description: 'Fail.',
      annotations: { readOnlyHint: true },
      inputSchema: open,
      handler: () => {
        throw new ToolError('There is no such order.');
      },
    },
  ]);
  client = await connect(server);
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const run = (code: string) => client.call('run_code', { code });

describe('a call that failed, and that nobody waited for, is said', () => {
  const said = 'tools.fail was not awaited, and failed: There is no such order.';
  const late =
    'tools.fail was not awaited, and failed after the program had returned: There is no such order.';

  test.each([
    ['tools.fail(); await sleep(5); return "done"', said],
    ['tools.fail(); return "done"', said],
    ['[1].forEach(async () => { await tools.fail() }); return "done"', late],
    ['async function main() { await tools.fail() }\nmain(); return "done"', late],
    ['tools.find(5); return "done"', /^tools\.find was not awaited, and failed: Tools take an object/],
  ])('%s', async (code, line) => {
    const { structuredContent } = await run(code);
    expect(structuredContent).toEqual({
      result: 'done',
      logs: [typeof line === 'string' ? line : expect.stringMatching(line)],
    });
  });

  test('not those that the program heard of, in whatever way', async () => {
    const code = `
      await tools.fail().catch(() => 1);
      await tools.fail().then(() => 1, () => 1);
      try { await tools.fail() } catch {}
      await Promise.allSettled([tools.fail(), tools.fail()]);
      await Promise.any([tools.fail(), tools.find()]);
      const later = tools.fail(); await sleep(5); await later.catch(() => 1);
      await (async () => tools.fail())().catch(() => 1);
      const found = tools.find(); await found;
      await tools.find().finally(() => 1);
      return "done"`;
    expect((await run(code)).structuredContent).toEqual({ result: 'done' });
  });

  test('at most ten of them', async () => {
    const { structuredContent } = await run('for (let i = 0; i < 30; i++) tools.fail(); return 1');
    const { logs } = structuredContent as { logs: string[] };
    expect(logs).toHaveLength(11);
    expect(logs.at(-1)).toBe('The program did not wait for further calls.');
  });
});

describe('a call that nobody waited for is said', () => {
  const unheard = 'tools.find was not awaited: write await in front of it.';
  const late = 'tools.find ended after the program had returned: write await in front of what waits for it.';

  test.each([
    ['const r = tools.find({ v: 2 }); return r.v', null, [unheard]],
    ['tools.find(); return 1', 1, [unheard]],
    ['tools.find(); await sleep(5); return 1', 1, [unheard]],
    ['[1, 2].forEach((id) => tools.find({ id })); return "done"', 'done', [unheard, unheard]],
    ['(async () => { await tools.find(); throw new Error("x") })(); return 1', 1, [late]],
    ['tools.find().then(({ v }) => { throw new Error(v) }); return 1', 1, [late]],
    [
      'tools.find(); tools.fail(); return 1',
      1,
      ['tools.fail was not awaited, and failed: There is no such order.', unheard],
    ],
  ])('%s', async (code, result, logs) => {
    expect((await run(code)).structuredContent).toEqual({ result, logs });
  });
});

test.each([
  [
    'return { a: [1, { b: tools.find() }] }',
    'The result has a promise at \\"a[1].b\\". Put await in front of it.',
  ],
  ['return [1, 2].map((id) => tools.find({ id }))', 'The result has a promise at \\"[0]\\". Put await'],
  ['await tools.find({ list: [tools.find()] })', 'The arguments have a promise at \\"list[0]\\". Put await'],
  ['await tools.find(tools.find())', 'The arguments are a promise. Put await in front of it.'],
  ['return new Map([[1, 2]]).values()', 'The result has an iterator. Make an array'],
  ['return { all: new Set([1]) }', 'The result has a Set at \\"all\\"'],
  ['return { like: /a/ }', 'The result has a regular expression at \\"like\\"'],
  ['return { rows: [{ at: () => 1 }] }', 'The result has a function at \\"rows[0].at\\"'],
  ['const a = { b: {} }; a.b.c = { a, n: NaN }; delete a.b.c.a; return a', 'NaN at \\"b.c.n\\"'],
])('%s is an error that names the place', async (code, expected) => {
  const { isError, content } = await run(code);
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain(expected);
});

test('an error in a result has its text', async () => {
  const code =
    'return (await Promise.allSettled([tools.fail()])).map(({ reason }) => ({ reason, own: new RangeError("x") }))';
  expect((await run(code)).structuredContent).toEqual({
    result: [
      { reason: expect.objectContaining({ message: 'There is no such order.' }), own: { message: 'x' } },
    ],
  });
});

test('a log line says what JSON has no form for', async () => {
  const code = 'console.log({ p: tools.find(), m: new Map([[1, 2]]), e: new Error("x") }); return 1';
  expect((await run(code)).structuredContent).toEqual({
    result: 1,
    logs: [
      '{"p":"[a promise]","m":[[1,2]],"e":"Error: x"}',
      'tools.find was not awaited: write await in front of it.',
    ],
  });
});

describe('a program that gives nothing', () => {
  const hint = 'The program returned nothing: write `return` in front of the value that you need.';
  const forgot =
    'The program returned nothing, and went on after that: write `await` in front of what it forgot.';
  const empty = 'The program returned nothing: what stands behind its `return` is undefined.';

  test.each([
    ['const { id } = await tools.find({ id: 1 });\nid;', [hint]],
    ['const a = 1;\na', [hint]],
    ['main();\nasync function main() { await sleep(1); return 8 }', [forgot]],
    ['function run() { return 8 } run();', [hint]],
    ['await tools.find();\nreturn', [empty]],
    ['await tools.find();\nreturn undefined;', [empty]],
    ['const { other } = await tools.find({ id: 1 }); return other', [empty]],
    [' \n', undefined],
    ['const a = await tools.find({ id: 1 });\nconsole.log(a.id);\na', ['1']],
  ])('%s', async (code, logs) => {
    expect((await run(code)).structuredContent).toEqual({ result: null, ...(logs && { logs }) });
  });

  test.each([
    [
      'async function main() { return (await tools.find({ id: 3 })).id }\nmain().catch((error) => console.error(error));',
      { result: 3 },
    ],
    [
      'async function main() { return (await tools.find({ id: 3 })).id }\nmain().then((id) => console.log(id));',
      { result: null, logs: ['3'] },
    ],
    [
      'const main = async () => { throw new Error("boom") };\nmain().catch(({ message }) => console.log(message))',
      { result: null, logs: ['boom'] },
    ],
  ])('%s is awaited', async (code, expected) => {
    expect((await run(code)).structuredContent).toEqual(expected);
  });
});
