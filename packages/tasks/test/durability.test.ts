import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { ManualClock } from '@toolwright/testing';
import type { QueueWorker, WorkLease, WorkOutcome } from '@toolwright/queue';
import { preparedPglite } from '../../../.ci/test/support/prepared-pglite.js';
import { until } from '../../../.ci/test/support/until.js';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { testPorts } from '../../postgres/test/support/test-ports.js';
import { migrateTasks } from '../src/index.js';
import { describeTasks } from './support/describe-tasks.js';
import { ofPglite, queuedTask as task, TestQueue, type TestDatabase } from './support/test-queue.js';

const done: WorkOutcome = { is: 'ended', ending: { status: 'completed', result: { content: [] } } };

/** Holds its runs until the test ends them. */
class Worker implements QueueWorker {
  readonly runs: { lease: WorkLease; end: (outcome?: WorkOutcome) => void }[] = [];
  constructor(readonly concurrency = 10) {}
  run(lease: WorkLease): Promise<WorkOutcome> {
    return new Promise((resolve) => this.runs.push({ lease, end: (outcome = done) => resolve(outcome) }));
  }
  changed(): void {}
  async begun(count = 1) {
    while (this.runs.length < count) await delay(10);
    return this.runs[count - 1]!;
  }
}

const aborted = async ({ signal }: WorkLease) => {
  await until(() => signal.aborted);
};

function describeDurability(database: () => TestDatabase): void {
  let test: TestQueue;
  const start = (options = {}, ports = testPorts()) => (test = new TestQueue(database(), options, ports));
  const sql = (text: string, values?: unknown[]) => test.database.sql(text, values);
  afterEach(() => test.close());

  it('stores neither the record nor the job when one of them cannot be stored', async () => {
    const queue = await start().open();
    await sql(`ALTER TABLE ${test.schema}_jobs.job_common RENAME TO away`);
    await expect(queue.enqueue(task('a'), 'job')).rejects.toThrow('42P01');
    expect(await queue.get('a')).toBeUndefined();
    await sql(`ALTER TABLE ${test.schema}_jobs.away RENAME TO job_common`);
    await queue.enqueue(task('a'), 'job');
    expect((await queue.load()).waiting).toBe(1);
  });

  it('keeps to the limit of an owner when many processes create tasks at once', async () => {
    const [here, there] = [await start({ maxPerOwner: 7 }).open(), await test.open()];
    const results = await Promise.all(
      Array.from({ length: 40 }, async (_, index) =>
        (index % 2 ? here : there).enqueue(task(`a${index}`), 'job'),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(7);
    expect((await here.load()).waiting).toBe(7);
  });

  it('keeps to the limit of all owners together, and leaves anonymous callers theirs', async () => {
    const queue = await start({ max: 5 }).open();
    const owners = Array.from({ length: 20 }, async (_, index) =>
      queue.create(task(`a${index}`, { owner: `o${index}` })),
    );
    expect((await Promise.all(owners)).filter(Boolean)).toHaveLength(5);
    expect(await queue.create(task('anonymous', { owner: '' }))).toBeDefined();
  });

  it('takes texts that a column of Postgres does not', async () => {
    const queue = await start().open();
    const odd = 'NUL \0, half \ud800, "quote", back\\slash\n';
    await queue.enqueue(task('a', { owner: odd, tool: odd }), odd);
    await queue.create(task('b', { owner: 'half \ud801' }));
    await queue.note('a', odd);
    const worker = new Worker();
    await queue.work(worker);
    const { lease } = await worker.begun();
    await lease.beginStep(odd);
    await lease.endStep(odd, odd);
    expect(lease.job).toBe(odd);
    await test.loseRun('a');
    const again = await worker.begun(2);
    expect([...again.lease.steps]).toEqual([[odd, odd]]);
    again.end({ is: 'ended', ending: { status: 'completed', result: { odd } } });
    await until(async () => (await queue.get('a'))!.ending);
    expect(await queue.get('a')).toMatchObject({
      owner: odd,
      statusMessage: odd,
      ending: { result: { odd } },
    });
    expect((await queue.list!(odd))!.tasks).toHaveLength(1);
    expect((await queue.list!('half \ud800'))!.tasks).toHaveLength(0);
  });

  it('tells a run within a second that its task was cancelled, when the announcement is lost', async () => {
    const [here, there] = [await start().open(), await test.open()];
    const worker = new Worker();
    await there.work(worker);
    await here.enqueue(task('a'), 'job');
    const { lease } = await worker.begun();
    // As if the process had died between its transaction and the announcement.
    await sql(
      `UPDATE ${test.schema}.tasks SET status = 'cancelled', ending = '{"status":"cancelled"}', run = run + 1`,
    );
    await aborted(lease);
  });

  it('does not let a worker begin that was handed a run before it was lost', async () => {
    const [here, there] = [await start().open(), await test.open()];
    await here.enqueue(task('a'), 'job');
    // As if a process had been handed the run, and had stood still before it could begin.
    await sql(`UPDATE ${test.schema}.tasks SET job_number = 5`);
    const worker = new Worker();
    await there.work(worker);
    await here.enqueue(task('b'), 'job');
    expect((await worker.begun()).lease.taskId).toBe('b');
  });

  it('removes tasks whose time has passed, with their jobs and steps', async () => {
    const clock = new ManualClock();
    const queue = await start({}, testPorts(clock)).open();
    await queue.enqueue(task('a', { ttlMs: 1_000 }), 'job');
    await queue.enqueue(task('b', { ttlMs: null }), 'job');
    await test.elapse(2_000);
    clock.advance(120_000);
    const left = () => sql(`SELECT id FROM ${test.schema}.tasks`);
    while ((await left()).length > 1) await delay(10);
    expect(await left()).toEqual([{ id: 'b' }]);
    expect(await sql(`SELECT data->>'taskId' AS id FROM ${test.schema}_jobs.job`)).toEqual([{ id: 'b' }]);
  });

  it('boots without the right to make tables when they are there, and not before', async () => {
    start({ migrate: false });
    await expect(test.open()).rejects.toThrow('Call migrateTasks(), or leave out `migrate: false`.');
    await migrateTasks({ ...test.database.options, schema: test.schema });
    await migrateTasks({ ...test.database.options, schema: test.schema });
    const queue = await test.open();
    expect(await queue.enqueue(task('a'), 'job')).toBeDefined();
  });
}

describeTasks('durable tasks', () => {
  describe('on PGlite', () => {
    const pglite = new PGlite(preparedPglite());
    afterAll(() => pglite.close());
    describeDurability(() => ofPglite(pglite));

    it('takes new tasks and their runs in the context of its boot, and not in that of a caller', async () => {
      const caller = new AsyncLocalStorage<string>();
      const seen: unknown[] = [];
      const look = () => void seen.push(caller.getStore());
      // What an instrumented driver does: it looks at the context of each transaction.
      const watched = new Proxy(pglite, {
        get(target, name) {
          if (name === 'transaction') look();
          const member = Reflect.get(target, name, target) as unknown;
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      });
      const test = new TestQueue({ options: { pglite: watched }, sql: ofPglite(pglite).sql });
      const queue = await caller.run('boot', () => test.open());
      let runs = 0;
      const run = async () => {
        look();
        runs += 1;
        return done;
      };
      await caller.run('boot', () => queue.work({ concurrency: 2, run, changed: look }));
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          caller.run(`tenant ${index}`, async () => queue.enqueue(task(`a${index}`), 'job')),
        ),
      );
      while (runs < 12) await delay(10);
      await test.close();
      expect(new Set(seen)).toEqual(new Set(['boot']));
    });
  });

  describePostgres('on Postgres', (postgres) => {
    describeDurability(() => ({ options: { url: postgres.server.url }, sql: postgres.sql }));

    it('opens in several processes at the same moment, when there is nothing yet', async () => {
      for (let trial = 0; trial < 5; trial++) {
        const test = new TestQueue({ options: { url: postgres.server.url }, sql: postgres.sql });
        await Promise.all(Array.from({ length: 4 }, () => test.open()));
        await test.close();
      }
    });

    it('stores what a run brought while Postgres was away, and goes on', async () => {
      const test = new TestQueue(
        { options: { url: postgres.server.url }, sql: postgres.sql },
        { checkInterval: 100 },
      );
      try {
        const queue = await test.open();
        const worker = new Worker();
        await queue.work(worker);
        await queue.enqueue(task('a'), 'job');
        const run = await worker.begun();
        await postgres.server.halt();
        run.end();
        await test.ports.logged('Postgres is away');
        await expect(Promise.resolve().then(() => queue.enqueue(task('b'), 'job'))).rejects.toMatchObject({
          code: 'TW_POSTGRES_UNAVAILABLE',
        });
        expect(queue.health!()).toMatchObject([{ store: 'postgres tasks', up: false }]);
        await postgres.server.launch();
        const read = () => Promise.resolve(queue.get('a')).catch(() => undefined);
        await until(async () => (await read())?.ending);
        await queue.enqueue(task('b'), 'job');
        (await worker.begun(2)).end();
        await until(async () => (await read())?.ending);
      } finally {
        await test.close();
      }
    });
  });
});
