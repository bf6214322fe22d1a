import { ToolError } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { taskSeals } from '@toolwright/queue';
import { settled } from '../../core/test/support/fake-clock.js';
import {
  gatedWork,
  queueFleet,
  queueSecret,
  stopQueueFleet,
  type QueueFleet,
} from '../../core/test/support/queue-fleet.js';

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

const readOnly = { annotations: { readOnlyHint: true } };
const work = (rest: Partial<ToolDefinition> = {}) => gatedWork(fleet, rest);

describe('a tool that has changed', () => {
  const pages = { type: 'object', properties: { page: { type: 'number', description: 'Which page.' } } };
  const former: ToolDefinition = { name: 'work', inputSchema: pages, handler: () => 'old' };
  const begunThen = async (later: ToolDefinition[], tasks = {}) => {
    fleet.web = await fleet.start(0, [former]);
    const taskId = await fleet.begin('work');
    await fleet.start(1, later, { tasks });
    await settled();
    return taskId;
  };
  const changed: ToolDefinition[] = [
    { ...former, annotations: { destructiveHint: true }, handler: () => 'new' },
  ];

  test('leaves the task to a process that has the former one', async () => {
    const taskId = await begunThen(changed);
    await fleet.clock.advance(200_000);
    expect(await fleet.get(taskId)).toMatchObject({ status: 'working' });
    await fleet.start(1, [former]);
    expect(await fleet.textOf(taskId)).toBe('old');
  });

  test('fails the task when there was none for five minutes, and says so', async () => {
    const taskId = await begunThen(changed);
    await fleet.clock.advance(299_000);
    expect(await fleet.get(taskId)).toMatchObject({ status: 'working' });
    await fleet.clock.advance(2_000);
    const { status, error } = await fleet.get(taskId);
    expect([status, error.data.reason]).toEqual(['failed', 'contract_changed']);
    expect(error.message).toContain('no process that works on tasks has had the former one for 5 minutes');
    expect(fleet.queue.load().dead).toBe(1);
    const { event } = fleet.sink.records.at(-1)!;
    expect(event).toMatchObject({ outcome: 'error', reason: 'TW_TASK_GIVEN_UP', detail: 'contract_changed' });
    expect(event.callId).toBe(fleet.sink.records[0]!.event.callId);
  });

  test('may run all the same', async () => {
    const taskId = await begunThen(changed, { onContractChange: 'run' });
    expect(await fleet.textOf(taskId)).toBe('new');
  });

  test('or is gone, which counts after the time that the option says', async () => {
    const taskId = await begunThen([], { onContractChange: 'run', unservedTimeout: 10_000 });
    await fleet.clock.advance(9_000);
    expect(await fleet.get(taskId)).toMatchObject({ status: 'working' });
    await fleet.clock.advance(2_000);
    const { error } = await fleet.get(taskId);
    expect(error.data.reason).toBe('tool_gone');
    expect(error.message).toBe(
      'No process that works on tasks has had the tool "work" for 10 seconds, so this task was not carried out.',
    );
  });

  const other = {
    ...pages,
    properties: { page: { type: 'number', description: 'The page.', title: 'Page' } },
  };
  test.each<[string, Partial<ToolDefinition>]>([
    ['its description', { description: 'Another.' }],
    ['its title', { title: 'Another' }],
    ['the title among its annotations', { annotations: { title: 'Another' } }],
    ['a word about an argument', { inputSchema: other }],
    ['an example', { inputSchema: { ...other, examples: [{ page: 1 }] } }],
    [
      'what it returns',
      { outputSchema: { type: 'object' }, handler: () => ({ structuredContent: {} }) as never },
    ],
    ['how often it is repeated', { task: { mode: 'optional', retries: 3 } }],
  ])('does the work of its waiting tasks when only %s has changed', async (_what, change) => {
    const taskId = await begunThen([{ ...former, handler: () => 'new', ...change }]);
    expect(await fleet.get(taskId)).toMatchObject({ status: 'completed' });
  });

  test.each<[string, Partial<ToolDefinition>]>([
    ['a type', { inputSchema: { type: 'object', properties: { page: { type: 'string' } } } }],
    ['a name', { inputSchema: { type: 'object', properties: { description: { type: 'number' } } } }],
    ['a default', { inputSchema: { type: 'object', properties: { page: { type: 'number', default: 2 } } } }],
    ['a hint', { annotations: { readOnlyHint: true } }],
  ])('does not when %s is another one', async (_what, change) => {
    const taskId = await begunThen([{ ...former, handler: () => 'new', ...change }]);
    expect(await fleet.get(taskId)).toMatchObject({ status: 'working' });
  });
});

test('jobs of earlier releases are done if their contract is the same, and refused with a clear text if not', async () => {
  const tool: ToolDefinition = { name: 'work', handler: () => 'done' };
  fleet.web = await fleet.start(1, [tool]);
  const seals = taskSeals([queueSecret], 'test', fleet.logger);
  const { contract } = fleet.web.tools.list().find(({ name }) => name === 'work')!;
  const begin = async (taskId: string, contract: string) => {
    const job = {
      ...{ taskId, tool: 'work', arguments: {}, principal: { subject: 'ada', scopes: [] }, contract },
      ...{ revision: '2026-07-28', client: { capabilities: {} }, trace: {}, transport: 'http' },
      ...{ answers: {}, memories: {} },
    };
    const owner = JSON.stringify(['', 'ada', '']);
    fleet.queue.enqueue(
      { id: taskId, owner, ttlMs: null, pollIntervalMs: 1, tool: 'work' },
      seals(taskId).seal('job', JSON.stringify(job)),
    );
    return fleet.get(taskId);
  };
  expect((await begin('same', contract)).result.content[0].text).toBe('done');
  const { error } = await begin('other', 'f'.repeat(64));
  expect(error.data.reason).toBe('contract_changed');
  expect(error.message).toMatch(/begun by an earlier release, and the tool "work" has changed since then/);
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

test('a task that ends its processes is given up, and its neighbours are not', async () => {
  await fleet.serve([work(readOnly)]);
  const ids = await Promise.all(['poison', 'b', 'c'].map((gate) => fleet.begin('work', { gate })));
  const running = new Set<string>();
  const begun = () => fleet.acts.splice(0).forEach((act) => running.add(act.replace('began ', '')));
  for (let deaths = 0; deaths < 5; deaths++) {
    for (let quiet = false; !quiet;) {
      await settled();
      begun();
      // Whoever runs beside the poison dies with it. Those who run without it come to their end.
      quiet = running.has('poison') || running.size === 0;
      if (!quiet) for (const gate of running) fleet.gates.open(gate);
      if (!quiet) running.clear();
    }
    if (running.size === 0) break;
    for (const gate of running) fleet.queue.loseRun(ids[['poison', 'b', 'c'].indexOf(gate)]!);
    running.clear();
  }
  for (const gate of ['b', 'c']) fleet.gates.open(gate);
  expect((await fleet.get(ids[0]!)).error).toMatchObject({ data: { reason: 'runs_lost' } });
  expect([await fleet.textOf(ids[1]!), await fleet.textOf(ids[2]!)]).toEqual(['through b', 'through c']);
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
