import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@toolwright/client';
import { createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { Inside, type ConsoleEvent } from '../src/index.js';

let folder: string;
let server: McpServer;
let inside: Inside;
const events: ConsoleEvent[] = [];

async function start(audit: ServerOptions['audit']): Promise<void> {
  events.length = 0;
  server = await createMcpServer({
    name: 'small',
    version: '1',
    services: [],
    logger: silentLogger,
    audit: audit!,
  });
  for (const name of ['one', 'two'])
    server.tools.add({ name, description: name, annotations: { readOnlyHint: true }, handler: () => name });
  inside = new Inside((event) => events.push(event));
  inside.add(server);
}

beforeEach(async () => {
  folder = temporaryFolder();
});

afterEach(async () => {
  inside.rest();
  await server.close(0);
});

const file = () => join(folder, 'audit.jsonl');
const ask = (query: object = {}) => inside.ask('auditRecords', { server: 'small', limit: 10, ...query });

async function call(...names: string[]): Promise<void> {
  const client = await connect(server, { principal: { subject: 'ann', scopes: [] } });
  for (const name of names) await client.request('tools/call', { name, arguments: {} });
  await client.close();
  await server.drain(0);
}

test('the log is read from its end, page by page, and filtered', async () => {
  await start({ file: file() });
  await call('one', 'two', 'one');
  const first = await ask({ limit: 2 });
  expect(first.file).toBe(file());
  expect(first.records.map(({ name }) => name)).toEqual(['one', 'two']);
  const second = await ask({ limit: 2, before: first.next });
  expect(second.records.map(({ name }) => name)).toEqual(['one']);
  expect(second.next).toBeUndefined();
  expect((await ask({ name: 'two' })).records).toMatchObject([
    { name: 'two', principal: { subject: 'ann' } },
  ]);
  expect((await ask({ subject: 'bob' })).records).toEqual([]);
  expect((await ask({ text: 'TWO' })).records).toHaveLength(1);
  await expect(ask({ before: 'x' })).rejects.toMatchObject({ name: 'ConsoleRefusal' });
});

test('the logs of all replicas are one, and what is missing is named', async () => {
  const [one, other, gone] = ['one', 'other', 'gone'].map((name) => join(folder, `${name}.jsonl`));
  await start({ file: one! });
  await call('one', 'two');
  await server.close(0);
  await start({ file: other! });
  await call('one');
  inside = new Inside((event) => events.push(event), [join(folder, 'o*.jsonl'), gone!]);
  inside.add(server);
  const page = await ask();
  expect(page.records.map(({ name }) => name)).toEqual(['one', 'two', 'one']);
  expect(page.notes).toEqual([`There is no audit log at ${gone}.`]);
  const usage = await inside.ask('usage', { server: 'small', by: ['tool'] });
  expect(usage.rows.map(({ keys, calls }) => [keys.tool, calls])).toEqual([
    ['one', 2],
    ['two', 1],
  ]);
  expect(usage.notes).toEqual([`There is no audit log at ${gone}.`]);
  // As `toolwright audit verify` says it.
  const lacking = await inside.ask('verifyAudit', { server: 'small' });
  expect(lacking).toMatchObject({ verdict: 'broken', problems: [], notes: usage.notes });
  await cp(one!, gone!);
  for (const end of ['head', 'pub.pem']) await cp(join(folder, `one.${end}`), join(folder, `gone.${end}`));
  const verdict = await inside.ask('verifyAudit', { server: 'small' });
  const writers = [{ slot: 0 }, { slot: 1 }, { slot: 2 }];
  expect(verdict).toMatchObject({ verdict: 'consistent', records: 5, writers });
  expect(new Set(verdict.links.map(({ slot }) => slot))).toEqual(new Set([0, 1, 2]));
  // What two logs have comes once.
  expect((await ask()).records).toEqual(page.records);
  await writeFile(gone!, 'nothing of a log\n');
  expect((await ask()).notes).toEqual([expect.stringContaining('does not begin as a log does')]);
  expect(await inside.ask('verifyAudit', { server: 'small' })).toMatchObject({ verdict: 'broken' });
});

test('the list and the log say what the tools cost', async () => {
  await start({ file: file() });
  await call('one', 'one', 'two');
  // The server that has drained lists nothing any more.
  await server.close(0);
  await start({ file: file() });
  const { costs } = await inside.ask('costs', { server: 'small', days: 7 });
  expect(costs).toMatchObject({ calls: 3, requests: 3 });
  expect(costs!.tools.map(({ name, calls }) => [name, calls])).toEqual([
    ['one', 2],
    ['two', 1],
  ]);
  expect(costs!.tools.every(({ entry, list }) => entry > 0 && list === 3 * entry)).toBe(true);
});

test('new records come as events while somebody asks', async () => {
  await start({ file: file() });
  await ask();
  inside.watch();
  await call('one');
  while (!events.some(({ type }) => type === 'audit'))
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(events.filter(({ type }) => type === 'audit')).toMatchObject([
    { server: 'small', records: [{ name: 'one', outcome: 'ok' }] },
  ]);
});

test('the chain is verified, and shows where it breaks', async () => {
  await start({ file: file() });
  await call('one', 'two');
  const verdict = await inside.ask('verifyAudit', { server: 'small' });
  expect(verdict).toMatchObject({ verdict: 'consistent', records: 2, problems: [], writers: [{ slot: 0 }] });
  expect(verdict.links[0]!.hash).toMatch(/^[0-9a-f]{64}$/);
  await writeFile(file(), (await readFile(file(), 'utf8')).replace('"name":"two"', '"name":"TWO"'));
  const broken = await inside.ask('verifyAudit', { server: 'small' });
  expect(broken.verdict).toBe('broken');
  expect(broken.problems[0]!.message).toContain('does not match its hash');
});

test.each([
  ['the log is off', false as const, /keeps no audit log/],
  [
    'a sink of the application takes it',
    { write() {}, flush: async () => {}, close: async () => {} },
    /sink of the application/,
  ],
])('it says why there is nothing: %s', async (_, audit, reason) => {
  await start(audit);
  const page = await ask();
  expect(page.records).toEqual([]);
  expect(page.unavailable).toMatch(reason);
  await expect(inside.ask('verifyAudit', { server: 'small' })).rejects.toThrow(reason);
  expect((await inside.ask('costs', { server: 'small' })).unavailable).toMatch(reason);
});
