import { ToolwrightError, type ServerOptions } from '@toolwright/core';
import type { TaskStore } from '@toolwright/core/ports';
import { MemoryTaskQueue } from '@toolwright/testing';
import { boot } from '../support/booting.js';
import { FakeClock, settled } from '../support/fake-clock.js';
import { queueFleet, queueSecret, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { EXTENSION } from '../support/task-fixture.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

const authorize: ServerOptions['authorize'] = (principal) => principal?.claims?.['tenant'] === 't1';

async function runAsTenant(options: Partial<ServerOptions>, tool: object = {}): Promise<any> {
  await fleet.serve([{ name: 'work', handler: () => 'done', ...tool }], { authorize, ...options });
  const principal = { subject: 'ada', scopes: [], claims: { tenant: 't1' } };
  const peer = { principal, ip: undefined, transport: 'memory' } as const;
  const wire = new StatelessWire(fleet.web, peer, { extensions: { [EXTENSION]: {} } });
  const { result } = await wire.call('work');
  await settled();
  return (await wire.request('tasks/get', { taskId: result.taskId })).result;
}

test('a task that authorize() refuses for want of claims says so, and not that its tool is unknown', async () => {
  const { status, error } = await runAsTenant({});
  expect([status, error.data]).toEqual(['failed', { reason: 'not_allowed' }]);
  expect(error.message).toMatch(/does not let the caller of this task use the tool "work"/);
  expect(error.message).not.toContain('Unknown');
  const heard = fleet.logger.lines.filter(({ fields }) => fields['option'] === 'tasks.claims');
  expect(heard.some(({ message }) => message.includes('refuses a task that it has let begin'))).toBe(true);
});

test.each<[string, object, Partial<ServerOptions>, RegExp]>([
  ['`for`', { for: authorize }, { authorize: undefined as never }, /^The option "for" of the tool refuses /],
  ['`authorize`', {}, {}, /^authorize\(\), or a guard of a package, refuses /],
])('the log names the rule that refuses it, and the remedy: %s', async (_rule, tool, options, named) => {
  await runAsTenant(options, tool);
  const messages = fleet.logger.lines.flatMap(({ message }) =>
    message.includes('refuses a task that it has let begin') ? [message] : [],
  );
  expect(messages).toEqual([expect.stringMatching(named)]);
  expect(messages[0]).toContain('tasks.claims names: name the claims that the rule reads');
});

test('a task keeps the claims that are named, and is carried out', async () => {
  expect(await runAsTenant({ tasks: { claims: ['tenant'] } })).toMatchObject({ status: 'completed' });
});

describe('a boot warns of forgotten claims', () => {
  const queued = () => ({
    ...{ stores: { tasks: new MemoryTaskQueue(new FakeClock()) }, secrets: [queueSecret] },
    authorize,
  });
  test.each<[string, boolean, () => Partial<ServerOptions>]>([
    ['a queue and authorize()', true, queued],
    ['named claims', false, () => ({ ...queued(), tasks: { claims: ['tenant'] } })],
    ['claims that are none', false, () => ({ ...queued(), tasks: { claims: [] } })],
    ['no authorize()', false, () => ({ ...queued(), authorize: undefined as never })],
    ['no queue', false, () => ({ authorize })],
  ])('%s: %s', async (_what, warns, options) => {
    const logger = new RecordingLogger();
    const server = await boot({ logger, ...options() });
    await server.close(0);
    expect(logger.lines.some(({ fields }) => fields['option'] === 'tasks.claims')).toBe(warns);
  });
});

class Away extends ToolwrightError {
  readonly code = 'MINE_UNAVAILABLE';
}

describe('while the store of the tasks does not answer', () => {
  let failure: Error | undefined;
  beforeEach(() => {
    failure = undefined;
    for (const method of ['get', 'answer', 'end', 'list'] as const satisfies readonly (keyof TaskStore)[]) {
      const known = fleet.queue[method].bind(fleet.queue) as (...given: never[]) => never;
      fleet.odd[method] = (...given: never[]) => {
        if (failure) throw failure;
        return known(...given);
      };
    }
  });

  test.each(['get', 'update', 'cancel'])('tasks/%s says so, with a time', async (method) => {
    await fleet.serve([{ name: 'work', handler: () => 'done' }]);
    const taskId = await fleet.begin('work');
    failure = new Away('away');
    const reply = await fleet.client().request(`tasks/${method}`, { taskId, inputResponses: {} });
    expect(reply.error).toMatchObject({
      code: -32603,
      message: expect.stringMatching(/is away right now.*not lost/),
      data: { code: 'TW_TASKS_DOWN', retryAfterMs: 5_000 },
    });
  });

  test('an error that is no outage is not told as one', async () => {
    await fleet.serve([{ name: 'work', handler: () => 'done' }]);
    const taskId = await fleet.begin('work');
    failure = new SyntaxError('no JSON');
    const { error } = await fleet.client().request('tasks/get', { taskId });
    expect(error?.message).toMatch(/^Internal error/);
  });
});
