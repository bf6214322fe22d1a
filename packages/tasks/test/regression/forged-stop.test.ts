import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { QueuedTask, QueueWorker, WorkLease, WorkOutcome } from '@toolwright/queue';
import { until } from '../../../../.ci/test/support/until.js';
import { describePostgres } from '../../../postgres/test/support/describe-postgres.js';
import { describeTasks } from '../support/describe-tasks.js';
import { TestQueue } from '../support/test-queue.js';

const task = (id: string): QueuedTask => ({
  id,
  owner: 'ann',
  ttlMs: 600_000,
  pollIntervalMs: 100,
  tool: 'work',
});

/** Holds its runs until they are told to stop. */
class Worker implements QueueWorker {
  readonly concurrency = 10;
  readonly leases = new Map<string, WorkLease>();
  run(lease: WorkLease): Promise<WorkOutcome> {
    this.leases.set(lease.taskId, lease);
    const ended: WorkOutcome = { is: 'ended', ending: { status: 'cancelled' } };
    return new Promise((resolve) => lease.signal.addEventListener('abort', () => resolve(ended)));
  }
  changed(): void {}
}

describeTasks('a role without rights', () => {
  describePostgres('on Postgres', (postgres) => {
    it("does not end somebody's run by a notification, and a real ending still does", async () => {
      const test = new TestQueue({ options: { url: postgres.server.url }, sql: postgres.sql });
      const [here, there] = [await test.open(), await test.open()];
      try {
        const worker = new Worker();
        await there.work(worker);
        for (const id of ['kept', 'cancelled']) await here.enqueue(task(id), 'job');
        while (worker.leases.size < 2) await delay(10);
        const [row] = await postgres.sql(`SELECT job_id FROM ${test.schema}.tasks WHERE id = 'kept'`);
        await postgres.sql('CREATE ROLE stranger LOGIN');
        for (const payload of [`${randomUUID()} ${row!['job_id']}`, 'x', 'a b c', `x ${row!['job_id']}`])
          await postgres.sql(`SET ROLE stranger; SELECT pg_notify('${test.schema}_tasks', '${payload}')`);
        await here.end('cancelled', { status: 'cancelled' });
        await until(() => worker.leases.get('cancelled')!.signal.aborted);
        expect(worker.leases.get('kept')!.signal.aborted).toBe(false);
        expect((await here.get('kept'))!.ending).toBeUndefined();
      } finally {
        await test.close();
      }
    });
  });
});
