import { Client, Pool } from 'pg';
import { findPgBouncer, PgBouncer } from './pgbouncer.js';
import { findPostgres, PostgresServer } from './postgres-server.js';

/** What the tests of a file share: a server, and a way to look into it. */
export interface TestPostgres {
  readonly server: PostgresServer;
  /** A schema that no other test has. */
  newSchema(): string;
  /** A pool as an application has it. */
  newPool(): Pool;
  /** Runs a statement as the owner of everything. */
  sql(text: string, values?: unknown[]): Promise<Record<string, any>[]>;
}

let schemas = 0;

/** Declares tests that need a real server. Where none is installed, they say so. */
export function describePostgres(name: string, define: (postgres: TestPostgres) => void): void {
  const programs = findPostgres();
  if (programs === undefined && process.env.REQUIRE_ALL !== '1') {
    it(`${name}: not tried, no Postgres server is installed here (Debian: apt-get install postgresql)`, () => {
      expect(findPostgres()).toBeUndefined();
    });
    return;
  }
  describe(name, () => {
    let server: PostgresServer;
    beforeAll(async () => {
      if (programs === undefined) throw new Error('REQUIRE_ALL=1, and no Postgres server is installed.');
      server = await PostgresServer.start(programs);
    }, 60_000);
    afterAll(() => server?.stop());

    define({
      get server() {
        return server;
      },
      newSchema: () => `schema_${(schemas += 1)}`,
      newPool: () => new Pool({ connectionString: server.url }),
      async sql(text, values) {
        const client = new Client(server.url);
        await client.connect();
        try {
          return (await client.query(text, values)).rows;
        } finally {
          await client.end();
        }
      },
    });
  });
}

/** Declares tests behind a PgBouncer that works by transaction. Where none is installed, they say so. */
export function describePgBouncer(
  name: string,
  postgres: TestPostgres,
  define: (url: () => string) => void,
): void {
  const program = findPgBouncer();
  if (program === undefined && process.env.REQUIRE_ALL !== '1') {
    it(`${name}: not tried, no PgBouncer is installed here (Debian: apt-get install pgbouncer)`, () => {
      expect(findPgBouncer()).toBeUndefined();
    });
    return;
  }
  describe(name, () => {
    let bouncer: PgBouncer;
    beforeAll(async () => {
      if (program === undefined) throw new Error('REQUIRE_ALL=1, and no PgBouncer is installed.');
      bouncer = await PgBouncer.start(program, postgres.server);
    });
    afterAll(() => bouncer?.stop());
    define(() => bouncer.url);
  });
}
