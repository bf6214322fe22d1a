import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// The types of what `import()` below gives; the ones of `require` are another class.
import type { PGlite, Transaction } from '@electric-sql/pglite' with { 'resolution-mode': 'import' };
import { DataFolderLock } from './data-folder-lock.js';
import { type Database, DatabaseUnavailableError, type Queries } from './database.js';
import { createSchema } from './schema.js';

/**
 * Opens the embedded Postgres that keeps its files in `folder`, which is created when missing. The engine is loaded
 * here, at first need. One process at a time may have a folder open.
 *
 * @param onCreate told when the folder is new, which takes some seconds
 * @throws {DatabaseUnavailableError} the folder cannot be written, is in use, or holds something unreadable
 */
export async function openPglite(folder: string, onCreate = () => {}): Promise<Database> {
  makeFolder(folder);
  const lock = DataFolderLock.acquire(folder);
  try {
    const database = new PgliteDatabase(await openCluster(folder, onCreate), lock);
    await createSchema(database);
    return database;
  } catch (error) {
    lock.release();
    if (error instanceof DatabaseUnavailableError) throw error;
    throw new DatabaseUnavailableError(
      `The data folder ${folder} cannot be opened as a database; it may be damaged. ` +
        'Move it away to start afresh, or set PAGES_DATA to another folder.',
      { cause: error },
    );
  }
}

class PgliteDatabase implements Database {
  constructor(
    private readonly pglite: PGlite,
    private readonly lock: DataFolderLock,
  ) {}

  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]> {
    return rowsOf<Row>(this.pglite, sql, parameters);
  }

  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.pglite.transaction((transaction) =>
      work({ query: (sql, parameters) => rowsOf(transaction, sql, parameters) }),
    );
  }

  async close(): Promise<void> {
    await this.pglite.close();
    this.lock.release();
  }
}

async function rowsOf<Row>(queries: PGlite | Transaction, sql: string, parameters: readonly unknown[] = []) {
  return (await queries.query<Row>(sql, [...parameters])).rows;
}

/**
 * A cluster takes seconds to create, and one that was half made when the process died is useless. The mark tells it
 * from a damaged one that holds data: only a marked cluster is thrown away.
 */
async function openCluster(folder: string, onCreate: () => void): Promise<PGlite> {
  const cluster = join(folder, 'postgres');
  const mark = join(folder, 'being-created');
  if (existsSync(mark)) rmSync(cluster, { recursive: true, force: true });
  const isNew = !existsSync(cluster);
  if (isNew) {
    writeFileSync(mark, 'The folder beside this file is not complete yet.\n');
    onCreate();
  }
  const { PGlite } = await import('@electric-sql/pglite');
  const pglite = new PGlite(cluster);
  await pglite.waitReady;
  if (isNew) rmSync(mark);
  return pglite;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new DatabaseUnavailableError(
      `The data folder ${folder} cannot be created: ${(error as Error).message}. Set PAGES_DATA to a folder that can.`,
      { cause: error },
    );
  }
}
