import type { ToolDefinition } from '@toolwright/core/operate';
import { until } from '../../../.ci/test/support/until.js';
import { type QueueFleet, queueFleet, stopQueueFleet } from '../../core/test/support/queue-fleet.js';
import { CONFIRMED } from './support/shop.js';

afterEach(stopQueueFleet);

let isHanging: boolean;
let fleet: QueueFleet;

const hanging = (name: string, annotations: ToolDefinition['annotations'] = {}): ToolDefinition => ({
  name,
  task: undefined as never,
  annotations,
  async handler() {
    fleet.acts.push(name);
    if (isHanging) await new Promise(() => undefined);
    return name;
  },
});

const tools: ToolDefinition[] = [
  hanging('write'),
  hanging('look', { readOnlyHint: true }),
  { name: 'note', task: undefined as never, handler: () => `noted ${fleet.acts.push('note')}` },
  {
    name: 'ask',
    task: undefined as never,
    async handler(_args, ctx) {
      const schema = { type: 'object', properties: { confirm: { type: 'boolean' } } };
      return (await ctx.elicit('sure', { message: 'Sure?', schema } as never)).action;
    },
  },
];

async function begin(code: string): Promise<string> {
  fleet = queueFleet();
  fleet.web = await fleet.start(0, tools, { codeMode: true });
  await fleet.start(10, tools, { codeMode: true });
  return fleet.begin('run_code', { code });
}

async function endOf(taskId: string) {
  let task: any;
  do task = await fleet.get(taskId);
  while (task.status === 'working');
  return task;
}

/** Loses the run in the middle of the call of a tool. */
async function loseIn(tool: string, code: string) {
  isHanging = true;
  const taskId = await begin(code);
  await until(() => fleet.acts.includes(tool));
  isHanging = false;
  fleet.queue.loseRun(taskId);
  return endOf(taskId);
}

test('a program whose process is lost goes on: what is recorded is not made again', async () => {
  const code = `const a = [await tools.note(), Math.random(), Date.now()]; const b = await tools.look(); return [a, b, Math.random() !== a[1]]`;
  const { result } = await loseIn('look', code);
  expect(result.structuredContent.result).toEqual([
    ['noted 1', expect.any(Number), expect.any(Number)],
    'look',
    true,
  ]);
  expect(fleet.acts).toEqual(['note', 'look', 'look']);
});

test('a call that may change something and was lost in the middle is an error that says so', async () => {
  const code = `await tools.note(); try { return await tools.write() } catch ({ message }) { return message }`;
  const { result } = await loseIn('write', code);
  expect(result.structuredContent.result).toMatch(/nobody knows whether it took effect/);
  expect(fleet.acts).toEqual(['note', 'write']);
});

test('a question of a program is one of its task, and the program goes on behind it', async () => {
  isHanging = false;
  const taskId = await begin(
    `await tools.note(); const a = await tools.ask(); await tools.note(); return [a, await tools.ask()]`,
  );
  for (const key of ['call.2/sure', 'call.4/sure']) {
    const { status, inputRequests } = await endOf(taskId);
    expect([status, Object.keys(inputRequests)]).toEqual(['input_required', [key]]);
    await fleet.update(taskId, { [key]: CONFIRMED });
  }
  const { result } = await endOf(taskId);
  expect(result.structuredContent.result).toEqual(['accept', 'accept']);
  expect(fleet.acts).toEqual(['note', 'note']);
});
