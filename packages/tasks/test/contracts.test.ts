import { PGlite } from '@electric-sql/pglite';
import { describeTaskQueue, describeTaskStore } from '@toolwright/testing';
import { preparedPglite } from '../../../.ci/test/support/prepared-pglite.js';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { describeTasks } from './support/describe-tasks.js';
import { ofPglite, TestQueue, type TestDatabase } from './support/test-queue.js';

function describeContracts(name: string, database: () => TestDatabase): void {
  const start = () => new TestQueue(database(), { maxPerOwner: 40, schema: 'contracts' });

  describeTaskStore(`The queue ${name}`, async () => {
    const test = start();
    const store = await test.open();
    return { store, elapse: (ms) => test.elapse(ms), close: () => test.leaveTables() };
  });

  describeTaskQueue(`The queue ${name}`, async () => {
    const test = start();
    return {
      queue: await test.open(),
      peer: await test.open(),
      elapse: (ms) => test.elapse(ms),
      loseRun: (taskId) => test.loseRun(taskId),
      pause: test.pause,
      close: () => test.leaveTables(),
    };
  });
}

describeTasks('with PGlite', () => {
  const pglite = new PGlite(preparedPglite());
  afterAll(() => pglite.close());
  describeContracts('on PGlite', () => ofPglite(pglite));
});

describeTasks('with a server', () => {
  describePostgres('of Postgres', (postgres) => {
    describeContracts('at an address', () => ({ options: { url: postgres.server.url }, sql: postgres.sql }));
  });
});
