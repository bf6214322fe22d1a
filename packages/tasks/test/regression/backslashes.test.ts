import { describePostgres } from '../../../postgres/test/support/describe-postgres.js';
import { describeTasks } from '../support/describe-tasks.js';
import { TestQueue } from '../support/test-queue.js';

describeTasks('where standard_conforming_strings is off', () => {
  describePostgres('on Postgres', (postgres) => {
    let test: TestQueue;
    beforeAll(() => postgres.sql('ALTER ROLE tester SET standard_conforming_strings = off'));
    afterEach(() => test.close());

    it('a queue at an address keeps texts with a backslash', async () => {
      test = new TestQueue({ options: { url: postgres.server.url }, sql: postgres.sql });
      const queue = await test.open();
      const task = { id: 'a', owner: "\\'ann", ttlMs: 60_000, pollIntervalMs: 100, tool: "w\\'" };
      await queue.enqueue(task, 'job');
      expect(await queue.get('a')).toMatchObject({ owner: task.owner, tool: task.tool });
    });

    it('a queue in a pool of the application says what has to be set', async () => {
      const pool = postgres.newPool();
      test = new TestQueue(
        { options: { url: postgres.server.url }, sql: postgres.sql },
        { url: undefined, pool },
      );
      await expect(test.open()).rejects.toThrow('have standard_conforming_strings = off');
      await pool.end();
    });
  });
});
