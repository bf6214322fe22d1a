import { PGlite } from '@electric-sql/pglite';
import { preparedPglite } from '../../../.ci/test/support/prepared-pglite.js';
import { describeApprovedTasks } from '../../identity/test/support/describe-approved-tasks.js';
import { postgresTasks } from '../src/index.js';
import { describeTasks } from './support/describe-tasks.js';

describeTasks('calls that a person approves on a page', () => {
  const pglite = new PGlite(preparedPglite());
  afterAll(() => pglite.close());
  describeApprovedTasks('on a queue in PostgreSQL', () => postgresTasks({ pglite, timeout: 60_000 }));
});
