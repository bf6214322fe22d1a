import { Audit, Confirm } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { queueFleet, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

const strict: ToolDefinition = {
  name: 'strict',
  policies: [Audit.entry({ mode: 'strict' })],
  handler: () => fleet.acts.push('ran'),
};

test('In strict mode, a task begins only if the log has its beginning', async () => {
  await fleet.serve([strict]);
  fleet.sink.before = ({ detail }) => {
    if (detail === 'task') throw new Error('disk full');
  };
  const { result } = await fleet.client().call('strict');
  expect(result).toMatchObject({ isError: true });
  expect(result.content[0].text).toMatch(/could not be recorded, so it was not carried out/);
  expect([fleet.acts, fleet.queue.load().waiting]).toEqual([[], 0]);
});

test('In buffered mode, a task begins although the log is down', async () => {
  await fleet.serve([{ ...strict, policies: [] }]);
  fleet.sink.before = () => {
    throw new Error('disk full');
  };
  expect(await fleet.textOf(await fleet.begin('strict'))).toBe('1');
});

test('A confirmation by argument is used up when the task begins, and holds in every run of it', async () => {
  const tool: ToolDefinition = {
    name: 'drop',
    annotations: { destructiveHint: true },
    policies: [Confirm.entry('Drop it?', { fallback: 'argument' })],
    handler: () => fleet.acts.push('dropped'),
  };
  await fleet.serve([tool]);
  const mute = fleet.client({});
  expect((await mute.call('drop')).result.content[0].text).toMatch(/confirmation_required/);
  const { taskId } = (await mute.call('drop', { confirmed: true })).result;
  expect(await fleet.textOf(taskId)).toBe('1');
  expect(fleet.acts).toEqual(['dropped']);
  // It counts once.
  expect((await mute.call('drop', { confirmed: true })).result.content[0].text).toMatch(
    /confirmation_required/,
  );
});

test('An idempotency key that was read before the task began stays the same in it', async () => {
  const keys: string[] = [];
  const tool: ToolDefinition = {
    name: 'pay',
    task: { mode: 'required', start: 'explicit' },
    async handler(_args, context) {
      const pay = (mayFail: boolean) =>
        context.once('pay', ({ idempotencyKey }) => {
          keys.push(idempotencyKey);
          if (mayFail) throw new Error('not yet');
          return 'paid';
        });
      await pay(keys.length === 0).catch(() => undefined);
      await context.startTask();
      return pay(false);
    },
  };
  await fleet.serve([tool]);
  expect(await fleet.textOf(await fleet.begin('pay'))).toBe('paid');
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});
