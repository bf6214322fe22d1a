import { createMcpServer } from '@toolwright/core';
import { evaluate, type EvaluatedModel } from '@toolwright/testing';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addCases, type ChatCase, chatModel } from '../src/index.js';
import { calls, says, StubModel } from './support/stub-model.js';
import { TestChat } from './support/test-host.js';

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'chat-cases-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as ChatCase[];

async function refundChat(): Promise<TestChat> {
  const model = await StubModel.start(
    calls(['find_order', { id: 7 }]),
    calls(['refund_order', { id: 7 }], ['nothing_known', {}]),
    says({ content: 'Done.' }),
    says({ content: 'Hello.' }),
  );
  return new TestChat(model);
}

test('each answer of a turn that calls something is a case, and a turn without calls is one', async () => {
  const host = await refundChat();
  await host.send('Refund order 7.');
  await host.send('Hi!');
  const asked = { role: 'user', text: 'Refund order 7.' };
  expect(host.chat.cases(1)).toEqual([
    {
      name: 'Refund order 7.',
      request: 'Refund order 7.',
      expect: [{ tool: 'find_order', arguments: { id: 7 } }],
    },
    {
      name: 'Refund order 7. (2)',
      request: [
        asked,
        { role: 'assistant', calls: [{ id: 'call_find_order', tool: 'find_order', arguments: { id: 7 } }] },
        { role: 'tool', id: 'call_find_order', tool: 'find_order', text: 'ok' },
      ],
      expect: [{ tool: 'refund_order', arguments: { id: 7 } }],
    },
  ]);
  expect(host.chat.cases(2)).toMatchObject([{ name: 'Hi!', expect: [] }]);
  expect(host.chat.cases(2)[0]!.request).toHaveLength(8);
  expect(host.chat.cases(3)).toEqual([]);
});

test('cases are added to a file; the same request takes the place of the older one', () => {
  const path = join(folder, 'test', 'chat.cases.json');
  const first: ChatCase = { name: 'Hi', request: 'Hi', expect: [] };
  expect(addCases(path, [first])).toEqual(['Hi']);
  const again: ChatCase = { ...first, expect: [{ tool: 'greet', arguments: {} }] };
  const other: ChatCase = { ...first, request: [{ role: 'user', text: 'Hi' }] };
  expect(addCases(path, [again, other])).toEqual(['Hi', 'Hi #2']);
  expect(read(path)).toEqual([again, { ...other, name: 'Hi #2' }]);
  expect(readdirSync(join(folder, 'test'))).toEqual(['chat.cases.json']);
});

test('a case that a person has renamed keeps its name', () => {
  const path = join(folder, 'cases.json');
  writeFileSync(path, JSON.stringify([{ name: 'mine', request: 'Hi', expect: [] }]));
  expect(addCases(path, [{ name: 'Hi', request: 'Hi', expect: [] }])).toEqual(['mine']);
});

test.each([['{}'], ['[1]'], ['nothing']])('a file that holds %s stays as it is', (text) => {
  const path = join(folder, 'cases.json');
  writeFileSync(path, text);
  expect(() => addCases(path, [])).toThrow(expect.objectContaining({ code: 'TW_CHAT_CASES' }) as Error);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('a saved turn is a table of evaluate, which the same model answers', async () => {
  const host = await refundChat();
  await host.send('Refund order 7.');
  const path = join(folder, 'chat.cases.json');
  addCases(path, host.chat.cases(1));
  const server = await createMcpServer({ name: 'shop', version: '1.0.0', services: [], audit: false });
  const schema = { type: 'object', properties: { id: { type: 'number' } } } as const;
  for (const name of ['find_order', 'refund_order'])
    server.tools.add({ name, description: name, inputSchema: schema, handler: () => 'ok' });
  const stub = await StubModel.start(calls(['find_order', { id: 7 }]), calls(['refund_order', { id: 7 }]));
  const model: EvaluatedModel = chatModel({ url: `${stub.url}/chat/completions`, model: 'stub' });
  const report = await evaluate(server, {
    model,
    mode: 'all',
    atOnce: 1,
    cases: read(path),
    recordings: join(folder, 'chat.recordings.json'),
  });
  expect(report.failures).toEqual([]);
  expect(report.usage).toMatchObject({ inputTokens: 200, outputTokens: 20 });
  expect(stub.request(1).body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  await server.close();
});

test('a model for evaluate fails a case whose arguments are broken', async () => {
  const stub = await StubModel.start(calls(['find_order', '{']));
  const model = chatModel({ url: `${stub.url}/chat/completions`, model: 'stub' });
  expect(model.name).toBe('stub');
  await expect(model.generate({ system: undefined, messages: [], tools: [] })).rejects.toMatchObject({
    code: 'TW_CHAT_ANSWER',
  });
});
