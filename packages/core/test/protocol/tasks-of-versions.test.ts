import type { ToolDefinition } from '@toolwright/core/operate';
import { queueFleet, stopQueueFleet } from '../support/queue-fleet.js';

afterEach(stopQueueFleet);

const text = { type: 'string' };
const found = (rest: Partial<ToolDefinition>): ToolDefinition => ({
  name: 'find',
  annotations: { readOnlyHint: true },
  handler: () => `found by ${rest.version ?? 'the only one'}`,
  ...rest,
});
const one = found({ version: '1', inputSchema: { type: 'object', properties: { word: text } } });
const two = found({ version: '2', inputSchema: { type: 'object', properties: { words: text } } });
const three = found({ version: '3', inputSchema: { type: 'object', properties: { query: text } } });
const unversioned = found({ inputSchema: { type: 'object', properties: { word: text } } });

test('a task of any name of a version begins at once', async () => {
  const fleet = queueFleet();
  await fleet.serve([one, two]);
  const ids = [await fleet.begin('find'), await fleet.begin('find.v1'), await fleet.begin('find.v2')];
  const texts = await Promise.all(ids.map((id) => fleet.textOf(id)));
  expect(texts).toEqual(['found by 2', 'found by 1', 'found by 2']);
});

test('a task that waits means the version that its name meant when it began', async () => {
  const fleet = queueFleet();
  fleet.web = await fleet.start(0, [one, two]);
  const bare = await fleet.begin('find', { words: 'x' });
  await fleet.start(10, [one, two, three]);
  expect(await fleet.textOf(bare)).toBe('found by 2');
});

test.each(['fail', 'run'] as const)(
  'a task from before there were versions is done by the version that the tool was (onContractChange: %s)',
  async (onContractChange) => {
    const fleet = queueFleet();
    fleet.web = await fleet.start(0, [unversioned]);
    const bare = await fleet.begin('find', { word: 'x' });
    await fleet.start(10, [one, two], { tasks: { onContractChange } });
    expect(await fleet.textOf(bare)).toBe('found by 1');
  },
);

test('the capability is declared where only an old version makes tasks', async () => {
  const fleet = queueFleet();
  const { task: _, ...plain } = { ...two, task: undefined };
  fleet.web = await fleet.startInProcess([one]);
  fleet.web.tools.add({ description: 'Finds.', ...plain });
  const { result } = await fleet.client().request('server/discover');
  expect(result.capabilities.extensions).toHaveProperty(['io.modelcontextprotocol/tasks']);
  expect(await fleet.textOf(await fleet.begin('find.v1'))).toBe('found by 1');
});
