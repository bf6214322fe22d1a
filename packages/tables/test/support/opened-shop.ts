import { PGlite } from '@electric-sql/pglite';
import { systemClock } from '@toolwright/core/ports';
import { type Database, openDatabase } from '@toolwright/postgres/database';
import type { DatabaseCatalogue } from '../../src/catalogue/catalogue';
import { readCatalogue } from '../../src/catalogue/read-catalogue';
import { type PlanChoices, planTables } from '../../src/model/plan-tables';
import type { DatabaseTable } from '../../src/run/database-table';
import { tableOf } from '../../src/write/table-of';

/** An embedded Postgres with some tables, and what an import reads of it. */
export class OpenedShop {
  private constructor(
    readonly pglite: PGlite,
    private readonly database: Database,
  ) {}

  static async open(sql: string): Promise<OpenedShop> {
    const pglite = await PGlite.create();
    await pglite.exec(sql);
    const database = await openDatabase({ pglite, clock: systemClock, timeout: 60_000 });
    return new OpenedShop(pglite, database);
  }

  catalogue(): Promise<DatabaseCatalogue> {
    return readCatalogue(this.database);
  }

  async plan(choices: PlanChoices = {}) {
    return planTables(await this.catalogue(), choices);
  }

  /** What the written code knows of a table. */
  async table(name: string, choices: PlanChoices = {}): Promise<DatabaseTable> {
    const { tables } = await this.plan(choices);
    return tableOf(tables.find((each) => each.name === name)!);
  }

  close(): Promise<void> {
    return this.pglite.close();
  }
}
