import { PGlite } from '@electric-sql/pglite';
import { preparedPglite } from '../../../.ci/test/support/prepared-pglite.js';
import { describeTasks } from './support/describe-tasks.js';
import { ofPglite, TestQueue } from './support/test-queue.js';

describeTasks('tasks as operators see them', () => {
  const pglite = new PGlite(preparedPglite());
  afterAll(() => pglite.close());

  it('shows tasks of all owners, and stores who cancels them and begins them again', async () => {
    const test = new TestQueue(ofPglite(pglite));
    try {
      const queue = await test.open();
      const task = (id: string, owner: string) => ({
        id,
        owner,
        ttlMs: 60_000,
        pollIntervalMs: 1,
        tool: 'work',
      });
      await queue.enqueue(task('a', 'ann'), 'job');
      await test.pause();
      await queue.enqueue(task('b', 'bob'), 'job');
      const admin = queue.admin!('olga');
      expect(await admin.list(10)).toMatchObject([
        { id: 'b', owner: 'bob', tool: 'work', status: 'working', isDead: false, attempt: 0 },
        { id: 'a', owner: 'ann' },
      ]);
      expect(await admin.list(1)).toHaveLength(1);
      expect(await admin.retry!('a')).toBeUndefined();
      expect(await admin.cancel!('a')).toBe(true);
      expect(await admin.cancel!('a')).toBe(false);
      expect((await queue.get('a'))!.status).toBe('cancelled');
      const next = await admin.retry!('a');
      expect(await queue.get(next!)).toMatchObject({ status: 'working', owner: 'ann' });
      const actions = await test.database.sql(
        `SELECT by, action, task_id, new_task_id FROM ${test.schema}.task_actions ORDER BY id`,
      );
      expect(actions).toEqual([
        { by: 'olga', action: 'cancel', task_id: 'a', new_task_id: null },
        { by: 'olga', action: 'retry', task_id: 'a', new_task_id: next },
      ]);
    } finally {
      await test.close();
    }
  });
});
