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

/** Lets pg-boss ask through the connections that the records have. */
export function bossDatabase(database: Database): Db {
  return {
    executeSql: (text, values) =>
      // Without values it may be a whole script.
      asDriver(values?.length ? database.query(text, values) : database.script(text)),
  };
}

/** Lets a call of pg-boss take part in a transaction. */
export function inTransaction(query: Query): Db {
  return { executeSql: (text, values) => asDriver(query(text, values)) };
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
