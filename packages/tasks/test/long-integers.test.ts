import { PGlite } from '@electric-sql/pglite';
import { preparedPglite } from '../../../.ci/test/support/prepared-pglite.js';
import { describeIntegersInStores } from '../../core/test/support/describe-integers-in-stores.js';
import { postgresTasks } from '../src/index.js';
import { describeTasks } from './support/describe-tasks.js';

describeTasks('integers of 64 bits', () => {
  const pglite = new PGlite(preparedPglite());
  afterAll(() => pglite.close());
  describeIntegersInStores(
    'processes that share a queue in PostgreSQL',
    () => ({ stores: { tasks: postgresTasks({ pglite, timeout: 60_000 }) } }),
    { isQueue: true },
  );
});
