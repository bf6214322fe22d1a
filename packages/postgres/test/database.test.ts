import { PGlite } from '@electric-sql/pglite';
import { systemClock } from '@toolwright/core/ports';
import { ManualClock } from '@toolwright/testing';
import { preparedPglite } from '../../../.ci/test/support/prepared-pglite.js';
import { NotificationLine } from '../src/bus/notification-line.js';
import { openDatabase, type Database } from '../src/database.js';
import { describePostgres } from './support/describe-postgres.js';
import { testPorts } from './support/test-ports.js';

function describeTransactions(open: () => Promise<Database>): void {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await database.query('CREATE TABLE IF NOT EXISTS notes (text text)');
  });
  beforeEach(() => database.query('DELETE FROM notes'));
  afterAll(() => database.close());
  const notes = async () =>
    (await database.query('SELECT text FROM notes ORDER BY text')).map(({ text }) => text);

  it('keeps all statements of a transaction, and returns what the work returns', async () => {
    const count = await database.transaction(async (query) => {
      await query('INSERT INTO notes VALUES ($1)', ['a']);
      await query('INSERT INTO notes VALUES ($1)', ['b']);
      return (await query('SELECT text FROM notes')).length;
    });
    expect([count, await notes()]).toEqual([2, ['a', 'b']]);
  });

  it.each([
    ['a statement', /^Postgres refuses \(22P02\)/, 'SELECT $1::int'],
    ['the work', /no more/, undefined],
  ])('keeps none of them when %s fails, and works on', async (_, reason, wrong) => {
    const failing = database.transaction(async (query) => {
      await query('INSERT INTO notes VALUES ($1)', ['a']);
      if (wrong === undefined) throw new Error('no more');
      await query(wrong, ['x']);
    });
    await expect(failing).rejects.toThrow(reason);
    expect(await notes()).toEqual([]);
  });

  it('returns the rows of a script', async () => {
    const rows = await database.script(
      "INSERT INTO notes VALUES ('a') RETURNING text; SELECT 1 AS one; BEGIN; COMMIT;",
    );
    expect(rows).toEqual([{ text: 'a' }, { one: 1 }]);
  });
}

describe('a database of PGlite', () => {
  const pglite = new PGlite(preparedPglite());
  afterAll(() => pglite.close());
  describeTransactions(() => openDatabase({ pglite, clock: systemClock, timeout: 120_000 }));
});

describePostgres('a database behind a pool', (postgres) => {
  const settings = () => ({ url: postgres.server.url, clock: systemClock, timeout: 120_000 });
  describeTransactions(() => openDatabase(settings()));

  describe('that listens elsewhere', () => {
    describeTransactions(() => openDatabase({ ...settings(), listenUrl: postgres.server.url }));
  });

  describe('that ends', () => {
    it('has back the connection of a line that was closed while it connected', async () => {
      const database = await openDatabase(settings());
      const line = new NotificationLine(database, testPorts(), {
        channel: 'closed while it connects',
        checkInterval: 60_000,
        tell: () => {},
        onMissed: () => {},
      });
      const started = line.start();
      line.close();
      await database.close();
      await started;
    });

    it('waits no longer for a connection that Postgres lets in and then leaves without an answer', async () => {
      await postgres.sql(`
        CREATE SCHEMA slow;
        CREATE FUNCTION slow.pg_backend_pid() RETURNS int LANGUAGE sql AS 'SELECT 1 FROM pg_sleep(600)'`);
      const url = `${postgres.server.url}?options=-c%20search_path%3Dslow,pg_catalog`;
      const database = await openDatabase({ url, clock: systemClock, timeout: 50 });
      await expect(database.query('SELECT 1')).rejects.toThrow('within 50 ms');
      await database.close();
    });

    it('waits for the answer to a goodbye only as long as for any other', async () => {
      const clock = new ManualClock();
      const database = await openDatabase({ url: postgres.server.url, clock, timeout: 60_000 });
      const session = await database.session(() => {});
      postgres.server.pause();
      try {
        const closed = database.close();
        session.end();
        clock.advance(60_000);
        await closed;
      } finally {
        postgres.server.resume();
      }
    });
  });
});
