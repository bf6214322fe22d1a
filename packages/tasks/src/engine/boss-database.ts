import { AsyncLocalStorage } from 'node:async_hooks';
import { PostgresError, type Database, type Query, type Row } from '@toolwright/postgres/database';
import type { Db } from 'pg-boss';

/** pg-boss decides by the SQLSTATE what an error means, and looks for it where the driver has it. */
class BossError extends Error {
  readonly code: string | undefined;

  constructor(cause: PostgresError) {
    super(cause.message, { cause });
    this.code = cause.sqlState;
  }
}

/**
 * The transaction that a call of pg-boss takes part in. Some calls ask something besides, on another connection, for
 * instance after an error. The transaction would wait for that question, and where there is only one connection (PGlite)
 * the question would wait for the transaction.
 */
const transaction = new AsyncLocalStorage<Query>();

/** Lets pg-boss ask through the connections that the records have. */
export function bossDatabase(database: Database): Db {
  return {
    executeSql(text, values) {
      const query = transaction.getStore();
      if (query) return asDriver(query(text, values));
      // Without values it may be a whole script.
      return asDriver(values?.length ? database.query(text, values) : database.script(text));
    },
  };
}

/** Lets a call of pg-boss take part in a transaction. */
export function inTransaction<T>(query: Query, call: (db: Db) => Promise<T>): Promise<T> {
  const db: Db = { executeSql: (text, values) => asDriver(query(text, values)) };
  return transaction.run(query, () =>
    call(db).catch((error: unknown) => {
      throw causeOf(error);
    }),
  );
}

async function asDriver(answer: Promise<Row[]>): Promise<{ rows: Row[] }> {
  try {
    return { rows: await answer };
  } catch (error) {
    throw error instanceof PostgresError ? new BossError(error) : error;
  }
}

/** The error below the one of pg-boss, where there is one. */
export function causeOf(error: unknown): unknown {
  return error instanceof BossError ? error.cause : error;
}
