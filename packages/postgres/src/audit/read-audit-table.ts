import { systemClock } from '@toolwright/core/ports';
import type { AuditRecord, AuditSource, LatestRecord } from '@toolwright/audit';
import {
  connectionOptions,
  parseConnection,
  type PostgresConnectionOptions,
} from '../connect/connection-options.js';
import { openDatabase } from '../connect/open-database.js';
import { AuditTable, type RowPlace, type WriterRange } from './audit-table.js';

export type AuditTableOptions = Omit<PostgresConnectionOptions, 'migrate'>;

const { migrate: _migrate, ...reading } = connectionOptions;
const tableOptions = { ...reading, timeout: { ...reading.timeout, default: 60_000 } };

/** How many records all writers together have in memory, and the smallest and largest number of one writer. */
const RECORDS = 20_000;
const FEWEST = 20;
const MOST = 500;

/**
 * The table that `postgresAuditSink` fills, for `queryAudit`, `latestRecords`, `exportAudit` and `usageOf`: one answer over all replicas. It has no
 * hashes, so nothing is verified. Readers hear of a record that is missing among others, and not of one that is
 * missing at the end of a writer. `compareAudit` compares the table with the logs.
 *
 * @throws {ConfigurationError} when an option is wrong
 * @throws {PostgresError} when Postgres does not answer, or refuses
 *
 * @example
 * const table = await auditTable({ url: process.env.DATABASE_URL });
 * for await (const record of queryAudit({ file: table })) console.log(record.name);
 * await table.close();
 */
export async function auditTable(given: AuditTableOptions): Promise<AuditSource> {
  const { schema, ...settings } = parseConnection('auditTable', tableOptions, given);
  const database = await openDatabase({ ...settings, clock: systemClock });
  const table = new AuditTable(database, schema);
  return {
    name: `the table ${schema}.audit_records`,
    async writers({ filter: { since, until }, onBroken }) {
      const ranges = await table.ranges(since, until);
      const size = Math.min(MOST, Math.max(FEWEST, Math.floor(RECORDS / Math.max(1, ranges.length))));
      return ranges.map((range) => recordsOf(table, range, { size, onBroken }));
    },
    latest: (before) => latestOf(table, before),
    close: () => database.close(),
  };
}

async function* latestOf(table: AuditTable, before: string | undefined): AsyncGenerator<LatestRecord> {
  for (let place = before === undefined ? undefined : (JSON.parse(before) as RowPlace); ;) {
    const rows = await table.latest(place, MOST);
    for (const { time, writer, seq, record: line } of rows) {
      place = [time, writer, seq];
      yield { record: JSON.parse(line) as AuditRecord, line, place: JSON.stringify(place) };
    }
    if (rows.length < MOST) return;
  }
}

async function* recordsOf(
  table: AuditTable,
  { writer, first, last }: WriterRange,
  { size, onBroken }: { size: number; onBroken: ((message: string) => void) | undefined },
): AsyncGenerator<AuditRecord> {
  let next = first;
  for (;;) {
    const rows = await table.page(writer, { from: next, to: last, size });
    for (const { seq, record } of rows) {
      if (seq > next)
        onBroken?.(`the table lacks ${seq - next} record(s) of writer ${writer}, from number ${next} on`);
      next = seq + 1;
      yield JSON.parse(record) as AuditRecord;
    }
    if (rows.length < size) return;
  }
}
