import { setTimeout as delay } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { createMcpServer } from '@toolwright/core';
import type { QueueWorker, WorkLease } from '@toolwright/queue';
import { preparedPglite } from '../../../../.ci/test/support/prepared-pglite.js';
import { StatelessWire } from '../../../core/test/wire/stateless-wire.js';
import { testPorts } from '../../../postgres/test/support/test-ports.js';
import { postgresTasks, TaskOperator } from '../../src/index.js';
import { describeTasks } from '../support/describe-tasks.js';
import { ofPglite, queuedTask as task, TestQueue } from '../support/test-queue.js';

/** Does every run at once. */
class Worker implements QueueWorker {
  readonly concurrency = 10;
  readonly ids: string[] = [];
  constructor(private readonly work: (lease: WorkLease) => void = () => {}) {}
  async run(lease: WorkLease) {
    this.work(lease);
    this.ids.push(lease.taskId);
    return { is: 'ended', ending: { status: 'completed', result: {} } } as const;
  }
  changed(): void {}
}

describeTasks('one row that somebody else has written', () => {
  const pglite = new PGlite(preparedPglite());
  let test: TestQueue;
  beforeEach(() => void (test = new TestQueue(ofPglite(pglite))));
  afterEach(() => test.close());
  afterAll(() => pglite.close());
  const sql = (text: string, values?: unknown[]) => test.database.sql(text, values);

  const ended = async (id: string) => {
    const [queue] = test.opened;
    for (;;) {
      const record = await queue!.get(id);
      if (record?.ending) return record;
      await delay(10);
    }
  };

  it.each([
    ['answers that are null', `UPDATE SCHEMA.tasks SET answers = 'null' WHERE id = 'bad'`],
    ['answers that are a list', `UPDATE SCHEMA.tasks SET answers = '[]' WHERE id = 'bad'`],
    ['a job with a raw quote', `UPDATE SCHEMA.tasks SET job = 'a"b' WHERE id = 'bad'`],
    ['a job that is gone', `UPDATE SCHEMA.tasks SET job = NULL WHERE id = 'bad'`],
    ['a full count of runs', `UPDATE SCHEMA.tasks SET attempt = 2147483647 WHERE id = 'bad'`],
    [
      'a step with a raw quote in its key',
      `UPDATE SCHEMA.tasks SET run = 1 WHERE id = 'bad';
       INSERT INTO SCHEMA.task_steps (task_id, key, result) VALUES ('bad', 'a"b', '1')`,
    ],
    [
      'a step with a raw quote in its result',
      `UPDATE SCHEMA.tasks SET run = 1 WHERE id = 'bad';
       INSERT INTO SCHEMA.task_steps (task_id, key, result) VALUES ('bad', 'a', '"')`,
    ],
  ])('ends its own task, and no other one waits: %s', async (_what, text) => {
    const queue = await test.open();
    await queue.enqueue(task('bad'), 'job');
    await queue.enqueue(task('good'), 'job');
    await pglite.exec(text.replaceAll('SCHEMA', test.schema));
    const worker = new Worker();
    await queue.work(worker);
    expect((await ended('good')).status).toBe('completed');
    expect((await ended('bad')).ending).toMatchObject({ error: { data: { reason: 'record_unreadable' } } });
    expect(worker.ids).toEqual(['good']);
    expect(test.ports.lines.join('\n')).toMatch(/error: The record of a task cannot be read.*"taskId":"bad"/);
    expect(test.ports.lines.join('\n')).not.toContain('away');
    expect(queue.health!()).toMatchObject([{ up: true }]);
    expect(await queue.load()).toMatchObject({ waiting: 0, running: 0, dead: 1 });
  });

  it('is done all the same where only its job does not name it, or has no heartbeat', async () => {
    const queue = await test.open();
    for (const id of ['empty', 'odd', 'silent', 'good']) await queue.enqueue(task(id), 'job');
    const jobs = `${test.schema}_jobs.job`;
    await sql(`UPDATE ${jobs} SET data = NULL WHERE data->>'taskId' = 'empty'`);
    await sql(`UPDATE ${jobs} SET data = '{"taskId":7}' WHERE data->>'taskId' = 'odd'`);
    await sql(`UPDATE ${jobs} SET heartbeat_seconds = NULL WHERE data->>'taskId' = 'silent'`);
    await queue.work(new Worker());
    for (const id of ['empty', 'odd', 'silent', 'good']) expect((await ended(id)).status).toBe('completed');
    expect(await queue.load()).toMatchObject({ waiting: 0, running: 0, dead: 0 });
  });

  it('leaves a job without a task to be thrown away', async () => {
    const queue = await test.open();
    await queue.enqueue(task('gone'), 'job');
    await sql(`UPDATE ${test.schema}_jobs.job SET data = NULL`);
    await sql(`DELETE FROM ${test.schema}.tasks`);
    await queue.enqueue(task('good'), 'job');
    await queue.work(new Worker());
    await ended('good');
    expect(await queue.load()).toMatchObject({ waiting: 0, running: 0 });
  });

  it('is set aside when Postgres itself refuses it, and is told with its reason', async () => {
    const queue = await test.open();
    await pglite.exec(`
      CREATE FUNCTION ${test.schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'not this one' USING ERRCODE = '22003'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON ${test.schema}.tasks FOR EACH ROW WHEN (OLD.id = 'bad')
        EXECUTE FUNCTION ${test.schema}.refuse()`);
    for (const id of ['bad', 'one', 'two']) await queue.enqueue(task(id), 'job');
    await queue.work(new Worker());
    for (const id of ['one', 'two']) expect((await ended(id)).status).toBe('completed');
    expect(test.ports.lines.join('\n')).toMatch(
      /error: A job of the queue cannot be taken.*"bad".*not this one/,
    );
    expect(test.ports.lines.join('\n')).not.toContain('away');
  });

  it('is not told as an outage, and counts against the health, when nothing can be taken', async () => {
    const queue = await test.open();
    await sql(`ALTER TABLE ${test.schema}.tasks RENAME COLUMN unsettled TO elsewhere`);
    await queue.enqueue(task('a'), 'job');
    await queue.work(new Worker());
    await test.ports.logged('The queue of the tasks cannot do its work');
    expect(queue.health!()).toMatchObject([{ store: 'postgres tasks', up: false }]);
    expect(test.ports.lines.join('\n')).not.toContain('away');
    await sql(`ALTER TABLE ${test.schema}.tasks RENAME COLUMN elsewhere TO unsettled`);
    await sql(`UPDATE ${test.schema}_jobs.job SET start_after = now()`);
    await ended('a');
    expect(queue.health!()).toMatchObject([{ up: true }]);
  });

  it('lets a run end its own task when the worker fails on it', async () => {
    const queue = await test.open();
    const worker = new Worker(({ taskId }) => {
      if (taskId === 'bad') throw new TypeError('no object');
    });
    await queue.enqueue(task('bad'), 'job');
    await queue.enqueue(task('good'), 'job');
    await queue.work(worker);
    expect((await ended('bad')).status).toBe('failed');
    expect((await ended('good')).status).toBe('completed');
  });

  it('hides no other row from its owner, nor from operators', async () => {
    const queue = await test.open();
    const bad = [
      `ending = '"x"'`,
      `ending = '{"status":"failed"}'`,
      `ending = 'null'`,
      `questions = '7'`,
      `questions = '{"a":null}'`,
      `answers = 'null'`,
      `status_message = 'a"b'`,
      `created_at = 'infinity'`,
      `updated_at = 'infinity'`,
      `poll_interval_ms = 'NaN'`,
      `status = 'odd'`,
    ];
    for (const [index] of bad.entries()) await queue.create(task(`bad${index}`));
    await queue.create(task('good'));
    for (const [index, set] of bad.entries())
      await sql(`UPDATE ${test.schema}.tasks SET ${set} WHERE id = 'bad${index}'`);
    expect((await queue.list!('ann'))!.tasks).toHaveLength(bad.length + 1);
    for (const [index] of bad.entries()) {
      const { createdAt, updatedAt, questions, answers } = (await queue.get(`bad${index}`))!;
      expect([new Date(createdAt).toISOString(), new Date(updatedAt).toISOString()]).toHaveLength(2);
      expect([questions, answers]).toEqual([{}, {}]);
    }
    await sql(`UPDATE ${test.schema}.tasks SET owner = 'a"b', tool = 'a"b' WHERE id = 'bad0'`);
    const operator = await TaskOperator.open({ pglite, schema: test.schema, by: 'olga' });
    try {
      expect(await operator.list()).toHaveLength(bad.length + 1);
      expect(await operator.cancel('bad5')).toBe(true);
    } finally {
      await operator.close();
    }
    expect((await queue.list!('ann'))!.tasks).toHaveLength(bad.length);
  });

  it('does not end a server that works on it', async () => {
    const ports = testPorts();
    const server = await createMcpServer({
      secrets: ['s'.repeat(32)],
      stores: { tasks: postgresTasks({ pglite, schema: test.schema }) },
      name: 'reports',
      version: '1.0.0',
      services: [],
      logger: ports.logger,
      tasks: {
        concurrency: 0,
      },
    });
    server.tools.add({ name: 'work', description: 'Works.', task: 'optional', handler: () => 'done' });
    const wire = StatelessWire.of(server, 'ada', { extensions: { 'io.modelcontextprotocol/tasks': {} } });
    const begin = async () => (await wire.call('work', {})).result.taskId as string;
    const [bad, good] = [await begin(), await begin()];
    await sql(`UPDATE ${test.schema}.tasks SET answers = 'null' WHERE id = $1`, [bad]);
    try {
      const { serveTasks } = await import('@toolwright/core/operate');
      await serveTasks(server, { concurrency: 5, signals: false });
      const read = async (taskId: string, status: string) => {
        for (;;) {
          const { result } = await wire.request('tasks/get', { taskId });
          if (result.status === status) return result;
          await delay(10);
        }
      };
      expect((await read(good, 'completed')).result.content[0].text).toBe('done');
      expect((await read(bad, 'failed')).error.message).toContain('could not be read');
    } finally {
      await server.close();
    }
  });
});
