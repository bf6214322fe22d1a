import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandValues } from '@toolwright/json';
import { auditCommands, exportAudit, openAuditSink, usageCommand } from '../src/index.js';
import { sampleEvent } from './sample-event.js';
import { temporaryLog } from './temporary-log.js';

const log = temporaryLog();

/** What a name, a person or a client can hide in a log that somebody reads on a screen. */
const codes = ['e0100', 'ad', '2064', '200b', '202e', 'e0041', '1b', '9b', '7f', 'feff'];
const hiding = codes.map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
const name = `a${hiding.join('.')}`;

beforeEach(async () => {
  const sink = await openAuditSink({ file: log.file });
  const principal = { subject: name, tenant: name, clientId: name };
  const loggable = { [name]: name };
  for (const clientName of ['one', name])
    await sink.write(
      sampleEvent({ name, principal, loggable, client: { name: clientName, version: '1' }, reference: name }),
      'strict',
    );
  await sink.close();
});

async function print(command: string, values: CommandValues = {}): Promise<string> {
  let out = '';
  const console = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (out += text),
    interactive: false,
    signal: AbortSignal.abort(),
  };
  const all = [...auditCommands, usageCommand];
  await all.find((each) => each.name === command)!.run(log.file, values, console);
  return out;
}

const remaining = (text: string) => codes.filter((_code, at) => text.includes(hiding[at]!));

test.each<[string, CommandValues]>([
  ['query', {}],
  ['tail', {}],
  ['export', { format: 'csv' }],
  ['usage', { by: 'tool,client,tenant' }],
])('%s %j writes out what hides in names, people and clients', async (command, values) => {
  const out = await print(command, values);
  expect(remaining(out)).toEqual([]);
  for (const code of codes) expect(out).toContain(`\\u{${code}}`);
});

test.each<[string, CommandValues]>([
  ['query', { json: true }],
  ['tail', { json: true }],
  ['export', { format: 'jsonl' }],
  ['usage', { json: true, by: 'tool,client,tenant' }],
])('%s %j escapes what hides, and a program reads exactly the same', async (command, values) => {
  const out = await print(command, values);
  expect(remaining(out)).toEqual([]);
  const [first] = command === 'usage' ? JSON.parse(out) : [JSON.parse(out.split('\n', 1)[0]!)];
  expect(first).toMatchObject(
    command === 'usage'
      ? { keys: { tool: name, client: name, tenant: name } }
      : { name, principal: { subject: name }, loggable: { [name]: name } },
  );
});

test('the same in what tools cost, also for names that only the list has', async () => {
  const tools = join(log.directory, 'tools.json');
  const description = 'Do it.\n\nOr not. '.repeat(50);
  const listed = { name: `b${name}`, description, inputSchema: { type: 'object' } };
  await writeFile(tools, JSON.stringify([listed, { name, inputSchema: {} }]));
  const out = await print('usage', { tools });
  expect(out).toContain('Write less in the list.');
  expect(remaining(out)).toEqual([]);
  for (const code of codes) expect(out).toContain(`\\u{${code}}`);
  const json = await print('usage', { tools, json: true });
  expect(remaining(json)).toEqual([]);
  expect(JSON.parse(json)).toMatchObject({ tools: [{ name: listed.name }, { name }] });
});

test('the same in exports of the library', async () => {
  for (const format of ['csv', 'jsonl'] as const) {
    let out = '';
    for await (const line of exportAudit({ file: log.file, format })) out += line;
    expect(remaining(out)).toEqual([]);
  }
});
