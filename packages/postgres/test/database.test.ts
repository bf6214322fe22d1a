import { PGlite } from '@electric-sql/pglite';
import { systemClock } from '@toolwright/core/ports';
import { openDatabase, type Database } from '../src/database.js';
import { describePostgres } from './support/describe-postgres.js';

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
  const pglite = new PGlite();
  afterAll(() => pglite.close());
  describeTransactions(() => openDatabase({ pglite, clock: systemClock, timeout: 120_000 }));
});

describePostgres('a database behind a pool', (postgres) => {
  const settings = () => ({ url: postgres.server.url, clock: systemClock, timeout: 120_000 });
  describeTransactions(() => openDatabase(settings()));

  describe('that listens elsewhere', () => {
    describeTransactions(() => openDatabase({ ...settings(), listenUrl: postgres.server.url }));
  });
});
