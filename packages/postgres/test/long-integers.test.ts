import { describeIntegersInStores } from '../../core/test/support/describe-integers-in-stores.js';
import { postgresStores } from '../src/index.js';
import { describePostgres } from './support/describe-postgres.js';

describePostgres('integers of 64 bits', (postgres) => {
  const schema = postgres.newSchema();
  describeIntegersInStores('processes that share a database', () => ({
    stores: postgresStores({ url: postgres.server.url, schema, timeout: 60_000 }),
  }));
});
