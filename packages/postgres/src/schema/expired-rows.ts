import type { PreparedDatabase } from '../connect/prepared-database.js';
import type { Expiring } from './sweeper.js';

const ROWS_PER_BATCH = 1_000;

/** The rows of a table whose time has passed. */
export function expiredRows(
  database: PreparedDatabase,
  schema: string,
  { table, key }: { table: string; key: string },
): Expiring {
  const name = `"${schema}".${table}`;
  return {
    perBatch: ROWS_PER_BATCH,
    async remove() {
      const removed = await database.query(
        `DELETE FROM ${name} WHERE ${key} IN (
           SELECT ${key} FROM ${name} WHERE expires_at <= clock_timestamp()
           LIMIT ${ROWS_PER_BATCH} FOR UPDATE SKIP LOCKED
         ) RETURNING 1`,
      );
      return removed.length;
    },
  };
}
