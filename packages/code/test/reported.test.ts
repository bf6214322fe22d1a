import type { ToolDefinition } from '@toolwright/core/operate';
import { until } from '../../../.ci/test/support/until.js';
import { Shop, textOf } from './support/shop.js';

// What users of other code modes, and of the interpreter, have reported in public. Each is tried here as a program.

const NAMES = ['constructor', '__proto__', 'toString', 'issues.list', '1st', 'resolve-library-id'];

const tools: ToolDefinition[] = [
  ...NAMES.map((name) => ({ name, description: `The tool ${name}.`, handler: () => `called ${name}` })),
  {
    name: 'fail',
    description: 'Fail.',
    handler() {
      throw new TypeError('a mistake in the tool');
    },
  },
  {
    name: 'reject',
    description: 'Fail later.',
    handler: () => Promise.reject(new RangeError('later')),
  },
  {
    name: 'items',
    description: 'List the items.',
    outputSchema: { type: 'object', properties: { items: { type: 'array' } } },
    inputSchema: { type: 'object', properties: { most: { type: 'integer' } }, additionalProperties: false },
    handler: () => ({ items: [1, 2, 3] }),
  },
];

const shop = new Shop();
beforeAll(() => shop.start({ codeMode: { time: '1s', memory: 24_000_000 } }, tools));
afterAll(() => shop.close());

test.each([
  [
    'an unknown tool could not be caught (fastmcp 4702)',
    'try { await tools.none() } catch (e) { return e.code }',
    'TW_UNKNOWN_NAME',
  ],
  [
    'a tool that raised ended the whole run (hpe-networking-mcp 202)',
    'try { await tools.fail() } catch (e) { return e.code } finally { await tools.items() }',
    'TW_INTERNAL',
  ],
  [
    'a promise of the host that rejected ended the process (sebastianwessel/quickjs 68)',
    'return (await Promise.allSettled([tools.reject(), tools.items()])).map(({ status }) => status)',
    ['rejected', 'fulfilled'],
  ],
  [
    'a failed call gave its error as a value (fastmcp 4969)',
    'const got = await tools.items({ kind: "repos" }).then(() => "a value", (e) => e.code); return got',
    'TW_INVALID_ARGUMENTS',
  ],
  [
    'an error of arguments spoke the words of a library (fastmcp 4969)',
    'return tools.items({ most: "x" }).catch((e) => /Invalid arguments for items:\\n.*most.*integer/s.test(e.message))',
    true,
  ],
  [
    'results came in the wrapping of the protocol (cloudflare/agents 1203)',
    'const { items } = await tools.items(); return items.filter((n) => n > 1)',
    [2, 3],
  ],
  [
    'tools were found and could not be called (opencode 36994 and 45307, codex 14605)',
    `return Promise.all(${JSON.stringify(NAMES)}.map((name) => tools[name]()))`,
    NAMES.map((name) => `called ${name}`),
  ],
  [
    'tools of the search could not be called from a program (hpe-networking-mcp 209)',
    'return (await tools.search_tools({ query: "items" })).tools[0].name',
    'items',
  ],
  [
    'after many objects in a job the interpreter could not be freed (quickjs-emscripten 269)',
    'await null; const a = []; for (let i = 0; i < 100_000; i++) a.push({ i }); return a.length',
    100_000,
  ],
  [
    'deep recursion crashed what came after it (quickjs-emscripten 60)',
    'const deep = () => deep() + 1; try { deep() } catch (e) { return e.message }',
    'stack overflow',
  ],
])('%s', async (_report, code, expected) => {
  const { isError, structuredContent, content } = await shop.round(code);
  expect(isError === true && content).toBe(false);
  expect(structuredContent).toEqual({ result: expected });
});

test.each([
  ['a mistake in the code was no error (hpe-networking-mcp 265)', '  const = 1', 'SyntaxError'],
  ['a loop had no end (code-mode of UTCP 13)', 'while (true) {}', 'may work 1000 ms'],
  [
    'a loop within a promise had no end (quickjs-emscripten 211)',
    'await new Promise((resolve) => { new Promise(() => { while (1) {} }); resolve() })',
    'may work 1000 ms',
  ],
  [
    'one long step could not be interrupted (quickjs-emscripten 219)',
    'return (new Array(1_000_000_000) + "").length',
    'may ',
  ],
  [
    'memory had no bound for the host (quickjs-emscripten 255)',
    'const a = []; while (true) a.push("x".repeat(1_000_000) + a.length)',
    'bytes of memory',
  ],
  [
    'memory that ran out in a job ended the interpreter for good (ifc-lite 1922, quickjs-emscripten 30)',
    'await null; const a = []; for (;;) a.push({ k: "v" })',
    'bytes of memory',
  ],
  [
    'a promise that nobody resolves hung the call (DOMShell 38)',
    'await new Promise(() => {})',
    'never comes',
  ],
])('%s, and here it is an error after which programs run', async (_report, code, expected) => {
  const failed = await shop.round(code);
  expect(failed.isError).toBe(true);
  expect(textOf(failed)).toContain(expected);
  expect((await shop.round('return (await tools.items()).items.length')).structuredContent).toEqual({
    result: 3,
  });
});

test('a slow call held up the calls behind it (codex 14437)', async () => {
  const running = shop.round(
    `const slow = tools.wait({ gate: 'slow' }); const fast = await tools.look({ what: 'fast' }); return [fast, await slow]`,
  );
  await until(() => shop.done.includes('look fast'));
  shop.gates.open('slow');
  expect((await running).structuredContent).toEqual({ result: [expect.any(String), 'through slow'] });
});

test('a program agreed for its person (hpe-networking-mcp 415)', async () => {
  const { inputRequests } = await shop.round(`return tools.refund({ id: 'A', confirmed: true })`);
  expect(Object.keys(inputRequests as object)).toHaveLength(1);
  expect(shop.done).not.toContainEqual(expect.stringContaining('refund'));
});
