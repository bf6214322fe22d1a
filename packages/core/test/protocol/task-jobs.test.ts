import { MemoryTaskStore, ProcessTaskRunner, type TaskJob, type TaskRunner } from '@toolwright/core/ports';
import { FakeClock, settled } from '../support/fake-clock.js';
import { accept, close, createProtocolFixture, type ProtocolFixture } from '../support/protocol-fixture.js';
import { EXTENSION } from '../support/task-fixture.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const capabilities = { elicitation: {}, extensions: { [EXTENSION]: {} } };

let fixture: ProtocolFixture;
afterEach(() => close(fixture));

/** A server whose runner also writes down the jobs that it gets. */
async function serve(tasks: { claims?: string[] } = {}) {
  const clock = new FakeClock();
  const jobs: TaskJob[] = [];
  const runner = new ProcessTaskRunner(clock);
  const noting: TaskRunner = {
    serve: (worker) => runner.serve(worker),
    start(job) {
      jobs.push(JSON.parse(JSON.stringify(job)));
      runner.start(job);
    },
    drain: (graceMs) => runner.drain(graceMs),
  };
  fixture = await createProtocolFixture({ ports: { clock }, tasks: { runner: noting, ...tasks } });
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

test('A job whose process has ended fails with a text that says what is not known', async () => {
  const clock = new FakeClock();
  const store = new MemoryTaskStore(clock);
  let run: (job: TaskJob) => Promise<void> = async () => undefined;
  // A queue that has kept the job of a process which was killed, and gives it to this one.
  const runner: TaskRunner = {
    serve: (worker) => void (run = (job) => worker.run(job)),
    start: () => undefined,
    drain: async () => true,
  };
  fixture = await createProtocolFixture({ stores: { tasks: store }, ports: { clock }, tasks: { runner } });
  store.create({ id: 'lost', owner: '', ttlMs: null, pollIntervalMs: 1 });
  await run({ taskId: 'lost' } as TaskJob);
  expect(store.get('lost')?.ending).toEqual({
    status: 'failed',
    error: { code: -32603, message: expect.stringContaining('It is not known how far the work got') },
  });
});
