import * as module from 'node:module';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { connect, type McpClient } from '@toolwright/testing';

// Programs as models write them, after public examples of other servers with a code mode: each works, or its error says what to do.

let server: McpServer;
let client: McpClient;
beforeAll(async () => {
  server = await createMcpServer({ name: 'shop', version: '1.0.0', codeMode: true });
  const open = { type: 'object' } as const;
  const rows = [{ id: 1 }, { id: 2 }];
  server.tools.add([
    {
      name: 'list',
      description: 'List.',
      inputSchema: open,
      outputSchema: open,
      handler: () => ({ rows }),
    },
    { name: 'text', description: 'Text.', inputSchema: open, handler: () => 'hello' },
  ]);
  client = await connect(server);
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const run = (code: string) => client.call('run_code', { code });
const fence = '```';

test.each([
  // The frame around a program.
  ['async () => {\n  const { rows } = await tools.list();\n  return rows.length;\n}', 2],
  ['(async () => { const { rows } = await tools.list(); return rows.length })();', 2],
  ['export default async function run() { return (await tools.list()).rows.length }', 2],
  ['export async function main() { return 4 }', 4],
  ['export const value = 1;\nreturn value', 1],
  ['async function main() { return (await tools.list()).rows.length }\nmain()', 2],
  ['async function main() { return (await tools.list()).rows.length }\n\nawait main();\n', 2],
  ['const main = async () => (await tools.list()).rows.length;\nmain();', 2],
  [`${fence}typescript\nconst { rows } = await tools.list();\nreturn rows.length;\n${fence}`, 2],
  ['~~~js\nreturn 8\n~~~', 8],
  ['"use strict";\nreturn 1', 1],
  // A function that the program calls in its last line, but that is not its result.
  ['function main() { return 1 }\nconst text = `\nmain()`;\nreturn text', '\nmain()'],
  ['let n = 0;\nfunction main() { n++ }\nif (true)\n  main()', null],
  // What is written to the log.
  ['const { rows } = await tools.list();\nconsole.table(rows); return 1', 1],
  ['console.group("a"); console.time("t"); console.timeEnd("t"); console.groupEnd(); return 1', 1],
  // What the language has.
  ['return Object.groupBy([1, 2], (n) => (n % 2 ? "odd" : "even"))', { odd: [1], even: [2] }],
  ['return [1, 2, 3].toSorted((a, b) => b - a).at(-1)', 1],
  ['for await (const { rows } of [tools.list()]) return rows.length', 2],
  ['const { list } = tools; return (await list()).rows.length', 2],
])('works: %s', async (code, result) => {
  const { structuredContent, content } = await run(code);
  expect([(structuredContent as { result?: unknown } | undefined)?.result, content]).toEqual([
    result,
    expect.anything(),
  ]);
});

test.each([
  ['import { readFileSync } from "node:fs";\nconsole.log(readFileSync)', /There are no modules/],
  ['import * as tools from "tools";\nreturn 1', /There are no modules/],
  ['const { readFile } = await import("node:fs/promises"); return 1', /There are no modules/],
  ['const a = 1;\nexport default a', /There are no modules/],
  ['const fs = require("fs"); return fs', /nothing of Node\.js/],
  ['return process.env.HOME', /nothing of Node\.js/],
  ['return Buffer.from("a").toString("base64")', /nothing of Node\.js/],
  ['const r = await fetch("https://example.com"); return r.status', /no network: call a tool/],
  ['await new Promise((r) => setTimeout(r, 10)); return 1', /await sleep\(ms\)/],
  ['return new URL("https://a.b/c").host', /what the language has/],
  ['return crypto.randomUUID()', /what the language has/],
  ['return new Intl.NumberFormat("en").format(1)', /what the language has/],
  ['const r = await codemode.list({}); return r', /await tools\.<name>/],
  ['result = await call_tool("list", {})\nreturn result', /await tools\.<name>/],
  ['const r = await tools.call_tool("list", {}); return r', /one object with their arguments/],
  ['await tools.list("x")', /an object with their arguments/],
  ['async ({ tools }) => (await tools.list()).rows', /gets no arguments/],
  ['export default async function run(codemode) { return codemode.list() }', /gets no arguments/],
  ['return Object.keys(tools)', /search_tools/],
  ['return JSON.parse(await tools.list())', /leave out `JSON\.parse`/],
  ['return (await tools.text()).content[0].text', /without `content` around it/],
  [`Here is the code:\n\n${fence}js\nreturn 7\n${fence}`, /without Markdown/],
  [`${fence}js\nreturn 8\n${fence}\nThis returns eight.`, /without Markdown/],
  ['def main():\n    return 1', /Programs are JavaScript/],
  ['import asyncio\nresult = await call_tool("list", {})', /Programs are JavaScript/],
  ['return new Set([1])', /Make an array of it/],
])('says what to do: %s', async (code, says) => {
  const { isError, content } = await run(code);
  expect(isError).toBe(true);
  expect((content as { text: string }[])[0]!.text).toMatch(says);
});

const typed = [
  'interface Row { id: number }\nconst rows: Row[] = (await tools.list()).rows as Row[];\nreturn rows.length',
  'type A<T> = { a: T };\nconst x: A<number> = { a: 2 };\nreturn x.a satisfies number',
  'const f = <T,>(x: T): T => x;\nreturn f<number>(2)',
  'declare const tools: any;\nreturn (await tools.list()).rows.length',
  'const r: Awaited<ReturnType<typeof tools.list>> = await tools.list();\nreturn r.rows.length',
  'return (await (tools as any).list()).rows.length',
  'function isTwo(x: unknown): x is 2 { return x === 2 }\nreturn isTwo(2) ? 2 : 0',
  'export default async (): Promise<number> => { const { rows }: { rows: any[] } = await tools.list(); return rows.length }',
];
const untyped = [
  'enum A { B }\nreturn A.B',
  'namespace A { export const b = 1 }\nreturn A.b',
  'class A { constructor(public y: number) {} }\nreturn new A(2).y',
];
const strips = 'stripTypeScriptTypes' in module;

test.each(typed)(`types ${strips ? 'are taken out' : 'are refused by this Node.js'}: %s`, async (code) => {
  const { structuredContent, content } = await run(code);
  if (strips) expect(structuredContent).toEqual({ result: 2 });
  else expect(JSON.stringify(content)).toContain('takes JavaScript without them');
});

test.each(untyped)('TypeScript that is more than annotations is refused: %s', async (code) => {
  const { isError, content } = await run(code);
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toMatch(/type annotations only|takes JavaScript without them/);
});
