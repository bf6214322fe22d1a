import { Client } from 'pg';
import { systemClock } from '@toolwright/core/ports';
import { openDatabase } from '../src/connect/open-database.js';
import { postgresStores } from '../src/index.js';
import { storeTables } from '../src/schema/migrate.js';
import { prepareTables, versionOf } from '../src/schema/table-set.js';
import { describePostgres } from './support/describe-postgres.js';
import { testPorts } from './support/test-ports.js';

/** Tables as a later release may have them. */
const later = {
  ...storeTables,
  steps: [
    ...storeTables.steps,
    (schema: string) => `
ALTER TABLE ${schema}.claims ADD COLUMN IF NOT EXISTS later text NOT NULL DEFAULT '';`,
  ],
};

describePostgres('two releases on one Postgres', (postgres) => {
  it('the older one goes on while the newer one waits for a backup to change a table, and afterwards', async () => {
    const schema = postgres.newSchema();
    const older = () => postgresStores({ url: postgres.server.url, schema, timeout: 30_000 });
    const running = older();
    await running.open(testPorts());
    const backup = new Client(postgres.server.url);
    await backup.connect();
    await backup.query(`BEGIN; SELECT * FROM ${schema}.claims`);

    const newer = await openDatabase({ url: postgres.server.url, clock: systemClock, timeout: 30_000 });
    const migrated = prepareTables(newer, later, { schema, migrate: true });
    const waits = `SELECT count(*)::int AS n FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted`;
    // It tries again and again. Each time, what the older release asks meanwhile is answered.
    for (let times = 0; times < 2; times++) {
      while ((await postgres.sql(waits))[0]!['n'] === 0);
      expect(await running.claims.claim(`while it waits ${times}`, 60_000)).toBe(true);
    }
    await backup.end();
    await migrated;
    expect(await versionOf(newer, later, schema)).toBe(later.steps.length);

    expect(await running.claims.claim('afterwards', 60_000)).toBe(true);
    const restarted = older();
    await restarted.open(testPorts());
    expect(await restarted.claims.claim('afterwards', 60_000)).toBe(false);
    await running.close();
    await restarted.close();
    await newer.close();
  });

  it('a migration leaves alone what the tables have already', async () => {
    const schema = postgres.newSchema();
    const database = await openDatabase({ url: postgres.server.url, clock: systemClock, timeout: 30_000 });
    await prepareTables(database, storeTables, { schema, migrate: true });
    const busy = new Client(postgres.server.url);
    await busy.connect();
    // A row that is written keeps others from making an index.
    await busy.query(`BEGIN; INSERT INTO ${schema}.records VALUES ('a', 'a', 'a', now())`);
    await prepareTables(database, later, { schema, migrate: true });
    await busy.end();
    await database.close();
  });
});
