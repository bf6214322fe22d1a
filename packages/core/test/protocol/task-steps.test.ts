import type { StepAttempt } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { settled } from '../support/fake-clock.js';
import { queueFleet, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

const rerun = { mode: 'optional', rerun: true, retries: 2 } as const;

/** A tool whose step may hang, and says what it learnt about itself. */
const stepping = (
  step: (attempt: StepAttempt) => unknown,
  options?: { rerun?: boolean },
  rest: Partial<ToolDefinition> = {},
): ToolDefinition => ({
  name: 'steps',
  task: rerun,
  async handler(_args, context) {
    const one = await context.once('one', () => fleet.acts.push('one'));
    const two = await context.once('two', step, options);
    return `${one} ${String(two)}`;
  },
  ...rest,
});

/** Lets the process die in the second step. */
async function lostInStep(tool: ToolDefinition): Promise<string> {
  await fleet.serve([tool]);
  const taskId = await fleet.begin('steps');
  await fleet.gates.reached('two');
  fleet.queue.loseRun(taskId);
  await settled();
  return taskId;
}

const hang = () => fleet.gates.wait('two', new AbortController().signal);

test('a rerun continues behind the last finished step', async () => {
  const taskId = await lostInStep(stepping(async ({ attempted }) => attempted || hang(), { rerun: true }));
  expect(await fleet.textOf(taskId)).toBe('1 true');
  expect(fleet.acts).toEqual(['one']);
});

test.each([
  ['no parameter', () => hang()],
  ['a parameter that it does not use', (_step: StepAttempt) => hang()],
  ['a parameter with a default', ({ attempted }: Partial<StepAttempt> = {}) => attempted || hang()],
])('a step that was begun and not finished fails the task, with %s', async (_what, step) => {
  const taskId = await lostInStep(stepping(step));
  const { status, error } = await fleet.get(taskId);
  expect([status, error.data]).toEqual(['failed', { reason: 'step_unknown', step: 'two' }]);
  expect(error.message).toMatch(/It is not known whether the step took effect/);
  expect(fleet.queue.load().dead).toBe(1);
});

test.each<[string, { rerun?: boolean } | undefined, Partial<ToolDefinition>]>([
  ['that only reads', undefined, { annotations: { readOnlyHint: true } }],
  ['that is idempotent', undefined, { annotations: { idempotentHint: true } }],
  ['of any kind whose author says so', { rerun: true }, { annotations: { destructiveHint: true } }],
])('but it runs again for a tool %s, whatever its function declares', async (_what, options, rest) => {
  let isFirst = true;
  const step = () => (isFirst ? ((isFirst = false), hang()) : 'again');
  const taskId = await lostInStep(stepping(step, options, rest));
  expect(await fleet.textOf(taskId)).toBe('1 again');
});

test('and not for a tool that only reads, if its author says that it must not', async () => {
  const rest = { annotations: { readOnlyHint: true } };
  const taskId = await lostInStep(stepping(() => hang(), { rerun: false }, rest));
  expect((await fleet.get(taskId)).error.data.reason).toBe('step_unknown');
});

test('a lost run does nothing more: its next step is refused', async () => {
  await fleet.serve([
    {
      name: 'steps',
      task: rerun,
      async handler(_args, context) {
        await hang();
        await context.once('act', () => void fleet.acts.push(`act of ${fleet.acts.length}`));
        return 'done';
      },
    },
  ]);
  const taskId = await fleet.begin('steps');
  await fleet.gates.reached('two');
  fleet.queue.loseRun(taskId);
  await settled();
  fleet.gates.open('two');
  expect(await fleet.textOf(taskId)).toBe('done');
  expect(fleet.acts).toHaveLength(1);
});

test('every attempt of a step has the same idempotency key, and no other step has it', async () => {
  const keys: string[] = [];
  const tool: ToolDefinition = {
    name: 'steps',
    task: rerun,
    async handler(_args, context) {
      await context.once('other', ({ idempotencyKey }) => keys.push(idempotencyKey));
      await context.once(
        'two',
        async ({ idempotencyKey, attempted }) => {
          keys.push(idempotencyKey);
          if (!attempted) await hang();
        },
        { rerun: true },
      );
    },
  };
  const taskId = await lostInStep(tool);
  await fleet.get(taskId);
  expect(keys).toHaveLength(3);
  expect([keys[1] === keys[2], keys[0] === keys[1]]).toEqual([true, false]);
});

test('a step that throws may run again, in the same run and in the next', async () => {
  const attempts: boolean[] = [];
  const tool: ToolDefinition = {
    name: 'steps',
    task: rerun,
    async handler(_args, context) {
      const pay = () =>
        context.once('pay', ({ attempted }) => {
          attempts.push(attempted);
          if (attempts.length < 3) throw new Error('refused');
          return 'paid';
        });
      return pay().catch(pay);
    },
  };
  await fleet.serve([tool]);
  const taskId = await fleet.begin('steps');
  await settled();
  await fleet.clock.advance(1_000);
  expect(await fleet.textOf(taskId)).toBe('paid');
  expect(attempts).toEqual([false, false, true]);
});

test('two calls of one step at the same time run it once', async () => {
  const tool: ToolDefinition = {
    name: 'steps',
    async handler(_args, context) {
      const act = () => context.once('act', async () => fleet.acts.push('act'));
      return (await Promise.all([act(), act()])).join();
    },
  };
  await fleet.serve([tool]);
  expect(await fleet.textOf(await fleet.begin('steps'))).toBe('1,1');
});
