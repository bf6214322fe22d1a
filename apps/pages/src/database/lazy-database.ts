import type { Database, Queries } from './database.js';

/**
 * Opens the real database at its first use, so that building the server costs neither the driver nor the disk. An
 * attempt that failed is forgotten: the next use tries again.
 */
export class LazyDatabase implements Database {
  private opened: Promise<Database> | undefined;

  constructor(private readonly open: () => Promise<Database>) {}

  /** Opens the database now, to fail early or to be fast later. */
  async ready(): Promise<void> {
    await this.database();
  }

  async query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]> {
    return (await this.database()).query<Row>(sql, parameters);
  }

  async transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return (await this.database()).transaction(work);
  }

  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = undefined;
    const database = await opened?.catch(() => undefined);
    await database?.close();
  }

  private database(): Promise<Database> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }
}
