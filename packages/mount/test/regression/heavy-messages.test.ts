import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mountServer } from '@toolwright/mount';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { isTooHeavy } from '../../src/upstream/is-too-heavy.js';
import { clientOf, closeLater, mounted } from '../support/malicious-mount.js';
import { textResult, tool } from '../support/malicious-upstream.js';
import { createGateway } from '../support/tools.js';
import { until } from '../../../../.ci/test/support/until.js';

// Not the bytes of an answer take time, but its parts: two megabytes of long integers once held the event loop for half a second,
// and ten of hidden characters for six.

const many = (part: string, times: number) => part.repeat(times);
const result = (structuredContent: string) => `{"content":[],"structuredContent":${structuredContent}}`;
const texts = (text: string) => `{"content":[{"type":"text","text":"${text}"}]}`;
const MOST = 50_000;

test.each([
  ['zeros', result(`[${many('0,', 60_000)}0]`)],
  ['empty objects', result(`[${many('{},', 30_000)}{}]`)],
  ['lists in lists', result(`${many('[', 60_000)}${many(']', 60_000)}`)],
  ['long integers', result(`[${many('9007199254740993,', 6_000)}1]`)],
  ['blocks', `{"content":[${many('{"type":"text","text":"x"},', 20_000)}{}]}`],
  ['tag characters', texts(many('\u{e0041}', 13_000))],
  ['changes of direction', texts(many('\u202e', 13_000))],
  ['escapes of terminals', texts(many('\\u001b', 13_000))],
  ['quotes', texts(many('\\"', 900_000))],
  [
    'many names',
    result(JSON.stringify(Object.fromEntries(Array.from(Array(30_000), (_, at) => [`k${at}`, 0])))),
  ],
])('a message of %s is too heavy, before it is parsed', (_what, message) => {
  expect(isTooHeavy(message, MOST)).toBe(true);
});

test.each([
  ['a long text', texts(many('x', 5_000_000))],
  [
    'a long text with everything that counts outside of texts',
    texts(many('[{,1234567890123456789', 100_000)),
  ],
  ['JSON in a text', texts(many('{\\"name\\":\\"x\\",\\"count\\":1},', 40_000))],
  ['a text of backslashes', texts(many('\\\\', 1_000_000))],
  ['a Chinese text as escapes', texts(many('\\u4f60\\u597d', 100_000))],
  [
    'an object of ten thousand names',
    result(JSON.stringify(Object.fromEntries(Array.from(Array(10_000), (_, at) => [`k${at}`, 0])))),
  ],
  ['ten thousand rows', result(`[${many('{"id":1,"name":"x","at":null},', 10_000)}{}]`)],
  ['digits in fractions', result(`[${many('0.1234567890,', 20_000)}1]`)],
])('%s may be read', (_what, message) => {
  expect(isTooHeavy(message, MOST)).toBe(false);
});

const heavy = JSON.parse(result(`[${many('0,', 60_000)}0]`)) as Record<string, unknown>;
const refused = /sent more than 50000 values\. Ask for less/;

test.each(['as JSON', 'in a stream'])(
  'a heavy answer %s is refused, and others are answered',
  async (how) => {
    const { gateway } = await mounted([tool('heavy'), tool('ok')], {
      calls: {
        heavy: (trick) =>
          how === 'as JSON' ? trick.result(heavy) : trick.stream()({ id: trick.message.id, result: heavy }),
        ok: ({ result: answer }) => answer(textResult('fine')),
      },
      options: { limits: {} },
    });
    const client = await clientOf(gateway);
    expect(await client.callText('heavy', {}).catch(({ message }: Error) => message)).toMatch(refused);
    expect(await client.callText('ok', {})).toBe('fine');
  },
);

test('an answer that its own schema makes heavy is not sent, and one that is long is', async () => {
  const allOf = Array.from({ length: 90 }, (_, at) => ({ not: { type: 'integer', maximum: -at - 1 } }));
  const output = (items: object) => ({
    outputSchema: { type: 'object', properties: { all: { type: 'array', items } } },
  });
  const all = Array<number>(40_000).fill(1);
  const { gateway } = await mounted(
    [tool('heavy', output({ allOf })), tool('long', output({ not: { const: 0 } }))],
    {
      calls: { heavy: (trick) => trick.result(answer), long: (trick) => trick.result(answer) },
      options: { limits: {} },
    },
  );
  const answer = { content: [], structuredContent: { all } };
  const client = await clientOf(gateway);
  expect(await client.callText('heavy', {}).catch(({ message }: Error) => message)).toMatch(
    /could not be sent/,
  );
  expect(await client.call('long', {})).toMatchObject({ structuredContent: { all } });
});

test('a child that sends a heavy answer goes on, whichever member of the answer it writes first', async () => {
  const file = join(temporaryFolder(), 'heavy.cjs');
  writeFileSync(
    file,
    `const readOnly = { readOnlyHint: false };
const tools = ['first', 'last', 'pid'].map((name) => ({ name, description: 'Answers.', annotations: readOnly, inputSchema: { type: 'object' } }));
const answers = { initialize: { protocolVersion: '2025-11-25', serverInfo: { name: 'heavy', version: '1' }, capabilities: { tools: {} } }, 'tools/list': { tools } };
const heavy = { content: [], structuredContent: { all: Array(60_000).fill(0) } };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const jsonrpc = '2.0';
  const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
  if (method !== 'tools/call') return say({ jsonrpc, id, ...(answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'no' } }) });
  if (params.name === 'first') return say({ jsonrpc, id, result: heavy });
  if (params.name === 'last') return say({ result: heavy, jsonrpc, id });
  say({ jsonrpc, id, result: { content: [{ type: 'text', text: String(process.pid) }] } });
});`,
  );
  const gateway = await createGateway();
  closeLater(gateway);
  await mountServer(gateway, 'heavy', { command: process.execPath, args: [file], sessions: 'shared' });
  const client = await clientOf(gateway);
  const before = await client.callText('pid', {});
  for (const name of ['first', 'last'])
    expect(await client.callText(name, {}).catch(({ message }: Error) => message)).toMatch(refused);
  expect(await client.callText('pid', {})).toBe(before);
});

test('a definition of many values is left out, and its list stays', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 6_000 }, (_, at) => [`p${at}`, { type: 'string' }]),
  );
  const { mount } = await mounted(
    [tool('ok'), tool('wide', { inputSchema: { type: 'object', properties } })],
    {
      options: { limits: {} },
    },
  );
  expect(mount.status()).toMatchObject({
    operations: 1,
    left: [{ name: 'wide', reason: 'it has more than 10000 values' }],
  });
});

test.each([
  ['one long pattern', { pattern: '(?:a|b)'.repeat(500) }],
  [
    'many patterns',
    { patternProperties: Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`^x-${at}-`, {}])) },
  ],
  ['properties of Unicode', { pattern: '\\p{L}+ '.repeat(90) }],
])('a definition with %s is left out, and its list stays', async (_what, odd) => {
  const inputSchema = { type: 'object', properties: { a: odd } };
  const date = { type: 'object', properties: { a: { pattern: '^\\d{4}-\\d\\d-\\d\\d$' } } };
  const { mount } = await mounted([tool('ok', { inputSchema: date }), tool('odd', { inputSchema })], {
    options: { limits: {} },
  });
  expect(mount.status()).toMatchObject({
    operations: 1,
    left: [{ name: 'odd', reason: 'its patterns have more than 2000 characters' }],
  });
});

test('clients hear once of a change that is made in parts, and no tool is away meanwhile', async () => {
  const tools = (title: string) => Array.from({ length: 45 }, (_, at) => tool(`t${at}`, { title }));
  const { evil, gateway, mount } = await mounted(tools('Old'), { options: { limits: {} } });
  const client = await clientOf(gateway);
  evil.tools = tools('New');
  await mount.restart();
  const changes = await client.listen({ tools: true });
  const seen = new Set<number>();
  let isOver = false;
  const accepted = mount.accept().finally(() => (isOver = true));
  while (!isOver) {
    seen.add(gateway.tools.list().length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await accepted;
  expect([...seen]).toEqual([45]);
  expect(await changes.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
  expect(gateway.tools.list().filter(({ title }) => title === 'New')).toHaveLength(45);
  expect(changes.pending()).toEqual([]);
  await changes.close();
});
