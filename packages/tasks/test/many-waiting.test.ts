import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { describeTasks } from './support/describe-tasks.js';
import { TestQueue } from './support/test-queue.js';

const MANY = 10_000;

describeTasks('a burst of tasks', () => {
  describePostgres('on Postgres', (postgres) => {
    it('is counted in time, before Postgres knows how many rows there are', async () => {
      const limits = { max: 2 * MANY, maxPerOwner: MANY, timeout: 5_000 };
      const test = new TestQueue({ options: { url: postgres.server.url }, sql: postgres.sql }, limits);
      const queue = await test.open();
      const rest = { ttlMs: 600_000, pollIntervalMs: 100, tool: 'work' };
      for (let at = 0; at < MANY; at += 500) {
        const some = Array.from({ length: 500 }, (_, index) => ({
          id: `a${at + index}`,
          owner: 'ann',
          ...rest,
        }));
        await Promise.all(some.map(async (task) => queue.enqueue(task, 'job')));
      }
      expect(await queue.load()).toMatchObject({ waiting: MANY, running: 0, dead: 0 });
      await test.close();
    });
  });
});
