import { createMcpServer, type McpServer } from '@toolwright/core';
import { connect, type McpClient } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import { bombs, escapes } from './support/escapes.js';
import { foreignEscapes } from './support/foreign-escapes.js';

let server: McpServer;
let client: McpClient;
const globals = new Set(Object.getOwnPropertyNames(globalThis));
const prototypes = [Object.prototype, Array.prototype, Function.prototype, Promise.prototype].map(
  (each) => [each, Object.getOwnPropertyNames(each).length] as const,
);

beforeAll(async () => {
  server = await createMcpServer({
    name: 'walls',
    version: '1.0.0',
    codeMode: { calls: 20, time: 300, memory: 48_000_000, result: 100_000 },
    logger: silentLogger,
  });
  const open = { type: 'object' } as const;
  server.tools.add([
    {
      name: 'echo',
      description: 'Gives it back.',
      inputSchema: open,
      outputSchema: open,
      handler: (args) => ({ ...args }),
    },
    {
      name: 'bad',
      description: 'Fails.',
      inputSchema: open,
      handler: () => {
        throw new Error('no');
      },
    },
  ]);
  client = await connect(server);
});
afterAll(async () => {
  await client.close();
  await server.close();
});

test('there are enough of them', () => expect(escapes.length).toBeGreaterThanOrEqual(200));

test('no program gets out', async () => {
  const out: string[] = [];
  for (const code of escapes) {
    const { content, isError } = await client.call('run_code', { code });
    const told = JSON.stringify(content);
    if (
      !isError &&
      /"(object|function)"|root:|escaped|4242/.test(told.replaceAll('\\"', '"')) &&
      !/toJSON|prepareStackTrace|stackTraceLimit|Promise = class|Promise.prototype|SharedArrayBuffer|delete globalThis/.test(
        code,
      )
    )
      out.push(`${code}  =>  ${told}`);
    if (/An internal|reference [0-9a-f]/.test(told)) out.push(`${code}  =>  ${told}`);
  }
  expect(out).toEqual([]);
  expect(Object.getOwnPropertyNames(globalThis).filter((name) => !globals.has(name))).toEqual([]);
  for (const [each, count] of prototypes) expect(Object.getOwnPropertyNames(each)).toHaveLength(count);
}, 300_000);

test('no kind of escape that was reported of another sandbox gets out', async () => {
  const kinds = new Set(foreignEscapes.filter((code) => !escapes.includes(code)));
  expect(kinds.size).toBeGreaterThanOrEqual(60);
  const out: string[] = [];
  for (const code of kinds) {
    const told = JSON.stringify((await client.call('run_code', { code })).content);
    if (/escaped|root:|4242|An internal|reference [0-9a-f]/.test(told)) out.push(`${code}  =>  ${told}`);
  }
  expect(out).toEqual([]);
  expect(Object.getOwnPropertyNames(globalThis).filter((name) => !globals.has(name))).toEqual([]);
  for (const [each, count] of prototypes) expect(Object.getOwnPropertyNames(each)).toHaveLength(count);
}, 300_000);

/** Far more than a program of 300 ms takes. It is work, so a busy machine does not change it. */
const MOST_CPU_US = 10_000_000;

test('no bomb stops the server', async () => {
  const wrong: string[] = [];
  for (const code of bombs) {
    const began = process.cpuUsage();
    const { content, isError } = await client.call('run_code', { code });
    const told = JSON.stringify(content);
    const { user, system } = process.cpuUsage(began);
    if (!isError || user + system > MOST_CPU_US || /An internal|reference [0-9a-f]/.test(told))
      wrong.push(`${code} => ${told.slice(0, 200)} ${user + system} µs`);
  }
  expect(wrong).toEqual([]);
  expect((await client.call('run_code', { code: 'return 1' })).structuredContent).toEqual({ result: 1 });
}, 300_000);
