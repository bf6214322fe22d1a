import type { QueuedTask } from '@toolwright/queue';
import { MemoryTaskQueue } from '@toolwright/testing';
import { taskSeals } from '@toolwright/queue';
import { FakeClock, settled } from '../support/fake-clock.js';
import { accept, close, createProtocolFixture, type ProtocolFixture } from '../support/protocol-fixture.js';
import { queueSecret } from '../support/queue-fleet.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { EXTENSION } from '../support/task-fixture.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const capabilities = { elicitation: {}, extensions: { [EXTENSION]: {} } };

let fixture: ProtocolFixture;
afterEach(() => close(fixture));

/** A server that puts tasks on a queue, and the jobs that its queue gets, opened. */
async function serve(tasks: { claims?: string[] } = {}) {
  const clock = new FakeClock();
  const jobs: unknown[] = [];
  class Noting extends MemoryTaskQueue {
    override enqueue(task: QueuedTask, job: string) {
      jobs.push(JSON.parse(String(seals(task.id).open('job', job))));
      return super.enqueue(task, job);
    }
  }
  fixture = await createProtocolFixture({
    ports: { clock },
    stores: { tasks: new Noting(clock) },
    secrets: [queueSecret],
    tasks: { concurrency: 0, ...tasks },
  });
  const seals = taskSeals([queueSecret], fixture.server.info.name, new RecordingLogger());
  fixture.server.tools.add({
    name: 'work',
    description: 'Works.',
    inputSchema: { type: 'object', properties: { page: { type: 'number' } } },
    task: { mode: 'required', start: 'explicit' },
    async handler(_args, context) {
      const { content } = await context.elicit('who', { message: 'who?', schema: { type: 'object' } });
      const made = await context.once('make', () => 'made');
      await context.startTask();
      return `${made} for ${(content as { name: string }).name}`;
    },
  });
  return jobs;
}

test('A job is data: what another process needs to do the work, without tokens or claims', async () => {
  const jobs = await serve({ claims: ['tenant'] });
  const claims = { tenant: 't1', email: 'ada@example.com' };
  const principal = { subject: 'ada', scopes: [], claims };
  const wire = new StatelessWire(
    fixture.server,
    { principal, ip: undefined, transport: 'memory' },
    capabilities,
  );
  const asked = await wire.call('work', { page: 7 });
  const answers = { inputResponses: { who: accept('Ada') }, requestState: asked.result.requestState };
  const { result } = await wire.request('tools/call', { name: 'work', arguments: { page: 7 }, ...answers });
  await settled();
  expect(jobs).toEqual([
    {
      taskId: result.taskId,
      tool: 'work',
      arguments: { page: 7 },
      principal: { subject: 'ada', scopes: [], claims: { tenant: 't1' } },
      unkeptClaims: ['email'],
      shape: expect.any(String),
      queuedAt: expect.any(Number),
      contract: fixture.server.tools.list().find(({ name }) => name === 'work')!.contract,
      revision: '2026-07-28',
      client: expect.objectContaining({ capabilities }),
      trace: {},
      transport: 'memory',
      answers: { who: accept('Ada') },
      memories: { 'once:make': 'made' },
    },
  ]);
});
