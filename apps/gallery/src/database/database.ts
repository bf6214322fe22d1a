// The types of what `import()` gives; the ones of `require` are another class.
import type { PGlite } from '@electric-sql/pglite' with { 'resolution-mode': 'import' };

import type { OnDispose } from '@toolwright/core';

/** What the explorer needs of Postgres. */
export interface Database extends OnDispose {
  /** @param parameters values of `$1`, `$2`, …; text from outside comes in no other way */
  query(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** The same, where nothing can be written, and for five seconds at most. */
  read(sql: string, parameters: readonly unknown[]): Promise<Row[]>;
  /** Calls `changed` whenever a table has come, changed or gone. */
  onTablesChanged(changed: () => void): Promise<void>;
}

export type Row = Record<string, unknown>;

/** Text as the name of something in SQL, whatever it holds. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** An embedded Postgres that lives as long as the process. */
export async function openDatabase(): Promise<Database> {
  const { PGlite } = await import('@electric-sql/pglite');
  return new PgliteDatabase(await PGlite.create());
}

/** Postgres tells of its own changes, whoever makes them. */
const WATCH = `
  CREATE FUNCTION tell_tables_changed() RETURNS event_trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_notify('tables_changed', ''); END $$;
  CREATE EVENT TRIGGER tables_changed ON ddl_command_end
    WHEN TAG IN ('CREATE TABLE', 'CREATE TABLE AS', 'ALTER TABLE', 'DROP TABLE')
    EXECUTE FUNCTION tell_tables_changed();`;

class PgliteDatabase implements Database {
  constructor(private readonly pglite: PGlite) {}

  async query(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return (await this.pglite.query<Row>(sql, [...parameters])).rows;
  }

  read(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return this.pglite.transaction(async (transaction) => {
      await transaction.exec('SET TRANSACTION READ ONLY; SET LOCAL statement_timeout = 5000');
      return (await transaction.query<Row>(sql, [...parameters])).rows;
    });
  }

  async onTablesChanged(changed: () => void): Promise<void> {
    await this.pglite.exec(WATCH);
    await this.pglite.listen('tables_changed', changed);
  }

  /** Called when the server closes. */
  onDispose(): Promise<void> {
    return this.pglite.close();
  }
}
