import { ToolError, type ToolDefinition } from '@toolwright/core';
import { settled } from '../support/fake-clock.js';
import { gatedWork, queueFleet, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

const readOnly = { annotations: { readOnlyHint: true } };
const work = (rest: Partial<ToolDefinition> = {}) => gatedWork(fleet, rest);

describe('a tool that has changed', () => {
  const begunThen = async (later: ToolDefinition[], tasks = {}) => {
    fleet.web = await fleet.start(0, [{ name: 'work', handler: () => 'old' }]);
    const taskId = await fleet.begin('work');
    await fleet.start(1, later, { tasks });
    return fleet.get(taskId);
  };
  const changed = [{ name: 'work', description: 'Another.', handler: () => 'new' }];

  test('fails the task, clearly', async () => {
    const { status, error } = await begunThen(changed);
    expect([status, error.data.reason]).toEqual(['failed', 'contract_changed']);
    expect(fleet.queue.load().dead).toBe(1);
    const { event } = fleet.sink.records.at(-1)!;
    expect(event).toMatchObject({ outcome: 'error', reason: 'TW_TASK_GIVEN_UP', detail: 'contract_changed' });
    expect(event.callId).toBe(fleet.sink.records[0]!.event.callId);
  });

  test('may run all the same', async () => {
    const { result } = await begunThen(changed, { onContractChange: 'run' });
    expect(result.content[0].text).toBe('new');
  });

  test('or is gone', async () => {
    const { error } = await begunThen([], { onContractChange: 'run' });
    expect(error.message).toMatch(/no longer exists/);
  });
});

describe('a run that was lost', () => {
  const lose = async (rest: Partial<ToolDefinition>) => {
    await fleet.serve([work(rest)]);
    const taskId = await fleet.begin('work', { gate: 'a' });
    await fleet.gates.reached('a');
    fleet.queue.loseRun(taskId);
    await settled();
    fleet.gates.open('a');
    return fleet.get(taskId);
  };

  test.each<Partial<ToolDefinition>>([
    readOnly,
    { annotations: { idempotentHint: true } },
    { task: { mode: 'optional', rerun: true } },
  ])('is repeated with %j', async (rest) => {
    expect((await lose(rest)).result.content[0].text).toBe('through a');
    expect(fleet.acts).toEqual(['began a', 'began a']);
  });

  test('is not repeated otherwise: the task says what is not known', async () => {
    const { error } = await lose({});
    expect(error.message).toMatch(/It is not known how far the work got/);
    expect([fleet.acts.length, fleet.queue.load().dead]).toEqual([1, 1]);
  });

  test('is given up when it is lost again and again', async () => {
    await fleet.serve([work(readOnly)]);
    const taskId = await fleet.begin('work', { gate: 'a' });
    for (let count = 0; count < 5; count++) {
      await settled();
      fleet.queue.loseRun(taskId);
    }
    expect((await fleet.get(taskId)).error.data.reason).toBe('runs_lost');
    expect(fleet.acts).toHaveLength(5);
  });
});

describe('a run that failed', () => {
  const failing = (error: unknown, task: ToolDefinition['task'] = { mode: 'optional', retries: 2 }) => {
    const handler = () => {
      fleet.acts.push('run');
      if (fleet.acts.length < 3) throw error;
      return 'done';
    };
    return fleet.serve([{ name: 'fails', task, handler }]);
  };

  test('is repeated after growing pauses, as often as the author says', async () => {
    await failing(new Error('connection lost'));
    const taskId = await fleet.begin('fails');
    expect((await fleet.get(taskId)).statusMessage).toMatch(/^Run 1 of 3 failed \(ref .+\)\. The next/);
    // A pause has a random part: the first one ends after half a second to a second, the next one takes twice as
    // long.
    for (const [ms, runs] of [
      [499, 1],
      [501, 2],
      [499, 2],
      [1_501, 3],
    ] as const) {
      await fleet.clock.advance(ms);
      expect(fleet.acts).toHaveLength(runs);
    }
    expect(await fleet.textOf(taskId)).toBe('done');
  });

  test('counts as dead when the retries are used up', async () => {
    await failing(new Error('connection lost'), { mode: 'optional', retries: 1, backoff: '10ms' });
    const taskId = await fleet.begin('fails');
    await settled();
    await fleet.clock.advance(10);
    expect(await fleet.get(taskId)).toMatchObject({ status: 'completed', result: { isError: true } });
    expect(fleet.queue.load().dead).toBe(1);
  });

  test('is not repeated when it has told its caller what is wrong, unless that may pass', async () => {
    await failing(new ToolError('No such page.'));
    expect(await fleet.textOf(await fleet.begin('fails'))).toBe('No such page.');
    expect([fleet.acts.length, fleet.queue.load().dead]).toEqual([1, 0]);
    await fleet.stop();
    fleet = queueFleet();
    await failing(Object.assign(new ToolError('Busy.'), { retryable: true }));
    const taskId = await fleet.begin('fails');
    await settled();
    await fleet.clock.advance(10_000);
    expect(await fleet.textOf(taskId)).toBe('done');
  });

  test('because its caller has no free slot is no failure: it waits for one', async () => {
    await fleet.serve([work()], { concurrency: { perPrincipal: 1, queue: 0 } });
    const first = await fleet.begin('work', { gate: 'a' });
    await fleet.gates.reached('a');
    const second = await fleet.begin('work', { gate: 'b' });
    expect(await fleet.get(second)).toMatchObject({
      status: 'working',
      statusMessage: 'Waiting for a free slot.',
    });
    fleet.gates.open('a');
    expect(await fleet.textOf(first)).toBe('through a');
    fleet.gates.open('b');
    await fleet.clock.advance(1_000);
    expect(await fleet.textOf(second)).toBe('through b');
  });
});
