import { inspect } from 'node:util';
import { Client } from 'pg';
import { migrate, migrationSql, postgresStores } from '../src/index.js';
import { describePostgres } from './support/describe-postgres.js';
import { testPorts } from './support/test-ports.js';

const url = 'postgres://tester@127.0.0.1:1/pages';

describe('the options', () => {
  it.each([
    [{}, 'postgresStores needs one of the options "url", "pool" and "pglite".'],
    [{ url: undefined }, 'the options "url", "pool" and "pglite". "url" is undefined.'],
    [{ url: '' }, 'with a percent-encoded password, not an empty string.'],
    [{ url, pool: { connect() {} } }, 'postgresStores has "url" and "pool", but takes one database.'],
    [{ url, schema: 'My Schema' }, '"schema" must be a name of at most 48 lower-case letters'],
    [{ url, schema: 'x'.repeat(49) }, '"schema" must be a name of at most 48 lower-case letters'],
    [{ url, shema: 'pages' }, 'There is no option "shema". Did you mean'],
    [{ url, connections: 1 }, 'postgresStores needs at least 2 connections'],
    [{ pool: { connect() {}, options: { max: 1 } } }, 'postgresStores needs at least 2 connections'],
    [{ pool: {} }, '"pool" must be a Pool of pg'],
    [{ pool: new Client(url) }, '"pool" must be a Pool of pg, not a Client'],
    [{ pglite: { query() {} } }, '"pglite" must be a PGlite'],
    [{ url, timeout: 0 }, '"timeout" must be a duration'],
  ])('%p are refused with their reason', (options, message) => {
    expect(() => postgresStores(options as never)).toThrow(message);
  });

  it('are checked by every way in', async () => {
    await expect(migrate({})).rejects.toThrow('migrate needs one of the options');
    expect(() => migrationSql({ schema: 'a"b' })).toThrow('"schema" must be');
  });

  it('may leave one connection to the questions when another address is listened at', () => {
    expect(() => postgresStores({ url, connections: 1, listenUrl: url })).not.toThrow();
  });

  it.each([
    'http://tester:sesame@host/pages',
    'postgres://tester:12#sesame@host/pages',
    'postgres://tester:12/sesame@host/pages',
    'postgres://tester:12?sesame@host/pages',
    'tester:sesame@host',
  ])('do not take the URL %s, and do not repeat its password', (wrong) => {
    const message = thrownBy(() => postgresStores({ url: wrong }));
    expect(message).toContain('"url" must be a URL such as postgres://user:password@host:5432/database');
    expect(message).not.toContain('sesame');
    expect(thrownBy(() => postgresStores({ url, listenUrl: wrong }))).not.toContain('sesame');
  });
});

describe('a password', () => {
  const secretUrl = 'postgres://tester:sesame@127.0.0.1:1/pages';

  it('is shown by no log, error, health or object while Postgres is away', async () => {
    const ports = testPorts();
    const stores = postgresStores({ url: secretUrl, listenUrl: secretUrl });
    await stores.open(ports);
    const error = await Promise.resolve(stores.claims.claim('a', 1_000)).catch((thrown: unknown) => thrown);
    const migration = await migrate({ url: secretUrl }).catch((thrown: unknown) => thrown);
    expect(ports.lines.join()).toContain('ECONNREFUSED');
    expect(migration).toMatchObject({ code: 'TW_POSTGRES_UNAVAILABLE' });
    const shown = [ports.lines, stores.health(), error, migration, stores].map((each) =>
      inspect(each, { depth: 20, showHidden: true }),
    );
    expect(shown.join()).not.toContain('sesame');
    await stores.close();
  });
});

describePostgres('what can never work', (postgres) => {
  it.each([
    [(): string => postgres.server.urlOf('nobody_knows'), /28000.*Check the user/s],
    [(): string => postgres.server.urlOf('tester', 'nowhere'), /3D000.*Create the database/s],
  ])('ends the boot with the reason, and not with a retry', async (where, reason) => {
    const stores = postgresStores({ url: where() });
    await expect(stores.open(testPorts())).rejects.toMatchObject({
      code: 'TW_CONFIGURATION',
      message: expect.stringMatching(reason),
    });
    expect(stores.health()).toEqual([{ store: 'postgres', up: false, since: 0 }]);
  });

  it('is an address to listen at that is refused, too', async () => {
    const stores = postgresStores({
      url: postgres.server.url,
      listenUrl: postgres.server.urlOf('nobody_knows'),
      schema: postgres.newSchema(),
    });
    await expect(stores.open(testPorts())).rejects.toThrow('28000');
  });
});

function thrownBy(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return inspect(error, { depth: 20 });
  }
  return 'nothing was thrown';
}
