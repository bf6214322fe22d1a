import type { ToolDefinition } from '@toolwright/core/operate';
import type { TaskRecord } from '@toolwright/core/ports';
import { MemoryTaskQueue } from '@toolwright/testing';
import { accept } from '../support/protocol-fixture.js';
import { queueFleet, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

/** Whom every row belongs to, as if she had written to the database. */
let owner: string | undefined;
beforeEach(() => {
  owner = undefined;
  fleet.odd.get = (id) => {
    const record: TaskRecord | undefined = fleet.queue.get(id);
    return record && owner !== undefined ? { ...record, owner } : record;
  };
});

const MALLORY = JSON.stringify(['', 'mallory', '']);
const EXTENSIONS = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };

const tool: ToolDefinition = {
  name: 'work',
  async handler(_args, context) {
    const form = {
      message: 'Which secret?',
      schema: { type: 'object', properties: { name: { type: 'string' } } },
    };
    const { content } = await context.elicit<{ name: string }>('which', form);
    return `the secret is ${content?.name}`;
  },
};

const mallory = () => StatelessWire.of(fleet.web, 'mallory', EXTENSIONS);
const read = async (taskId: string) => (await mallory().request('tasks/get', { taskId })).result;

test('a row that was given to another owner shows that one no result', async () => {
  await fleet.serve([tool]);
  const taskId = await fleet.begin('work');
  await fleet.get(taskId);
  await fleet.update(taskId, { which: accept('swordfish') });
  expect(await fleet.textOf(taskId)).toBe('the secret is swordfish');
  owner = MALLORY;
  const { status, error, ...rest } = await read(taskId);
  expect([status, error.data.reason]).toEqual(['failed', 'result_unreadable']);
  expect(JSON.stringify(rest)).not.toContain('swordfish');
});

test('nor a question, and what that one answers does not count', async () => {
  await fleet.serve([tool]);
  const taskId = await fleet.begin('work');
  await fleet.get(taskId);
  owner = MALLORY;
  expect((await read(taskId)).inputRequests ?? {}).toEqual({});
  await mallory().request('tasks/update', { taskId, inputResponses: { which: accept('of mallory') } });
  owner = undefined;
  const { status, inputRequests } = await fleet.get(taskId);
  expect([status, Object.keys(inputRequests)]).toEqual(['input_required', ['which']]);
});

test('nor the result of work that an operator begins again for another owner', async () => {
  const { work } = MemoryTaskQueue.prototype;
  fleet.odd.work = function (this: MemoryTaskQueue, worker) {
    const run: typeof worker.run = (lease) => worker.run({ ...lease, origin: lease.taskId });
    return work.call(this, { concurrency: 10, run, changed: (id) => worker.changed(id) });
  };
  await fleet.serve([{ name: 'work', handler: () => 'done' }]);
  const taskId = await fleet.begin('work');
  expect(await fleet.textOf(taskId)).toBe('done');
  owner = MALLORY;
  expect((await read(taskId)).status).toBe('failed');
});
