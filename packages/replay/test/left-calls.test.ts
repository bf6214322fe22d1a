import { connect } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import { readRecording, type RecordedLine, recordTo, replay, type ReplayReport } from '../src/index.js';
import { makePlace, reading, recorded, replayed, serverWith, type Tool } from './support/recorded.js';

const place = makePlace();
const { file } = place;
const servers: McpServer[] = [];
const make = async (version: string, ...tools: Tool[]): Promise<McpServer> => {
  const server = await serverWith(version, tools);
  servers.push(server);
  return server;
};
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});
afterAll(() => place.remove());

const why = ({ left }: ReplayReport) => left.map(({ name, reason }) => [name, reason]);

test('a call that cannot be read is one call that is left, with a name of a bounded length', async () => {
  const server = await make(
    '1.0.0',
    reading('look', () => 'seen'),
  );
  await recorded(file, server, async (open) => (await open()).call('look'));
  const { header, messages } = await readRecording(file);
  const [asked, answered] = messages.slice(-2) as [RecordedLine, RecordedLine];
  const deep = JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`) as unknown;
  const names = [{ toString: 'x' }, 'look', 'n'.repeat(100_000), 'look'];
  const lines = names.flatMap((name, at) => {
    const channel = `${at}`;
    const message = { ...(asked.message as object), params: { name, arguments: at === 3 ? { deep } : {} } };
    return [
      { ...asked, channel, message },
      { ...answered, channel },
    ];
  });
  const report = await replay(
    { header, messages: lines, isTorn: false },
    { open: ({ client }) => connect(server, client) },
  );
  expect(report.counts.calls).toBe(4);
  expect(report.left.map(({ name, reason }) => [name.length, reason])).toEqual([
    [10, 'unlisted'],
    [201, 'unlisted'],
    [4, 'unreadable'],
  ]);
  expect(report.counts.replayed).toBe(1);
});

test('a tool that the recorded build did not call read-only is not called, though no client ever listed it', async () => {
  const writes: Tool = { name: 'touch', description: 'Touches.', handler: () => 'touched' };
  const before = await make('1.0.0', writes);
  const recorder = recordTo(before, { file, maxBytes: 2_000, files: 2 });
  const client = await connect(before);
  for (let call = 0; call < 20; call++) await client.call('touch');
  await client.close();
  recorder.close();
  const after = await make(
    '1.1.0',
    reading('touch', () => 'touched'),
  );
  const report = await replayed(file, after);
  expect(report.counts).toMatchObject({ replayed: 0 });
  expect(new Set(report.left.map(({ reason }) => reason))).toEqual(new Set(['writes']));
});

test('a call of call_tool does what the tool does that it means', async () => {
  const inputSchema = { type: 'object', properties: { name: { type: 'string' } } } as const;
  const callTool: Tool = { name: 'call_tool', description: 'Calls.', inputSchema, handler: () => 'called' };
  const writes: Tool = { name: 'touch', description: 'Touches.', handler: () => 'touched' };
  const look = reading('look', () => 'seen');
  const server = await make('1.0.0', callTool, writes, look);
  await recorded(file, server, async (open) => {
    const client = await open();
    for (const name of ['look', 'touch']) await client.call('call_tool', { name });
  });
  const report = await replayed(file, server);
  expect([report.counts.replayed, why(report)]).toEqual([1, [['call_tool', 'writes']]]);
});

test.each<[string, string | number, unknown]>([
  ['a member', 100, { id: 100 }],
  ['a sentence', 'ord_1001', 'Created order ord_1001.'],
])('a call with an id that a left call made is left, too: in %s', async (_name, id, answer) => {
  const type = typeof id === 'number' ? ('integer' as const) : ('string' as const);
  const inputSchema = { type: 'object', properties: { orderId: { type } } } as const;
  const make1 = () =>
    make(
      '1.0.0',
      { name: 'create_order', description: 'Creates.', handler: () => answer as never },
      reading('get_order', ({ orderId }) => `order ${String(orderId)}`, { inputSchema }),
    );
  await recorded(file, await make1(), async (open) => {
    const client = await open();
    await client.call('create_order');
    await client.call('get_order', { orderId: id });
    await client.call('get_order', { orderId: typeof id === 'number' ? 7 : 'ord_0007' });
  });
  const report = await replayed(file, await make1());
  expect(why(report)).toEqual([
    ['create_order', 'writes'],
    ['get_order', 'ids'],
  ]);
  expect([report.counts.same, report.differing]).toEqual([1, []]);
});
