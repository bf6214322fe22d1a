import type { Database } from '../src/database/database.js';
import { DatabaseUnavailableError } from '../src/database/database.js';
import { openPostgres } from '../src/database/postgres-database.js';
import { describePageStore } from './page-store-contract.js';
import { findPostgres, PostgresServer } from '../../../packages/postgres/test/support/postgres-server.js';

const programs = findPostgres();
const required = process.env.REQUIRE_ALL === '1';

if (programs === undefined && !required) {
  describe('the page store on a Postgres server', () => {
    it('was not tried: no Postgres server is installed here (Debian: apt-get install postgresql)', () => {
      expect(findPostgres()).toBeUndefined();
    });
  });
} else {
  describe('the page store on a Postgres server', () => {
    let server: PostgresServer;
    let database: Database;

    beforeAll(async () => {
      if (programs === undefined) throw new Error('REQUIRE_ALL=1, and no Postgres server is installed.');
      server = await PostgresServer.start(programs);
      database = await openPostgres(server.url);
    });

    afterAll(async () => {
      await database.close();
      await server.stop();
    });

    describePageStore(() => database);

    it('can be opened by several processes at once, also for the first time', async () => {
      await database.query('drop table pages, page_imports');

      const opened = await Promise.all([1, 2, 3].map(() => openPostgres(server.url)));

      expect(await opened[0]!.query('select count(*)::int as count from pages')).toEqual([{ count: 0 }]);
      await Promise.all(opened.map((each) => each.close()));
    });

    it('gives a connection back after a transaction that failed', async () => {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        await expect(database.transaction((queries) => queries.query('select 1 / 0'))).rejects.toThrow(
          'division by zero',
        );
      }

      expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    });
  });
}

describe('a Postgres server that is not there', () => {
  it('is told apart from one that is, without showing the password', async () => {
    const opening = openPostgres('postgres://pages:sesame@127.0.0.1:1/pages');

    await expect(opening).rejects.toThrow(DatabaseUnavailableError);
    await expect(opening).rejects.toThrow(
      /^The Postgres server of DATABASE_URL cannot be used: .*ECONNREFUSED/,
    );
    await expect(opening).rejects.not.toThrow('sesame');
  });

  it('cannot be reached by something that is no URL', async () => {
    await expect(openPostgres('postgres://%')).rejects.toThrow('DATABASE_URL');
  });
});
