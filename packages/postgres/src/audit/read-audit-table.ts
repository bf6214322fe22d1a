import { systemClock } from '@toolwright/core/ports';
import type { AuditRecord, AuditSource, LatestRecord, NumberedRecord } from '@toolwright/audit';
import {
  connectionOptions,
  parseConnection,
  type PostgresConnectionOptions,
} from '../connect/connection-options.js';
import { openDatabase } from '../connect/open-database.js';
import {
  type AuditRow,
  AuditTable,
  auditRow,
  differingColumns,
  type RowPlace,
  type WriterRange,
} from './audit-table.js';

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
 * missing at the end of a writer. They hear of a row whose columns do not fit its record, and, if they read its log as
 * well, of a record that differs from it. `compareAudit` compares the whole table with the logs.
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
  const { readRecord } = await import('@toolwright/audit');
  const database = await openDatabase({ ...settings, clock: systemClock });
  const reader = new TableReader(new AuditTable(database, schema), readRecord);
  return {
    name: `the table ${schema}.audit_records`,
    writers: ({ filter, onBroken }) => reader.writers(filter, onBroken),
    latest: (before) => reader.latest(before),
    close: () => database.close(),
  };
}

type OnBroken = ((message: string) => void) | undefined;

class TableReader {
  constructor(
    private readonly table: AuditTable,
    private readonly readRecord: (line: string) => AuditRecord | undefined,
  ) {}

  async writers(
    { since, until }: { since?: number; until?: number },
    onBroken: OnBroken,
  ): Promise<AsyncGenerator<NumberedRecord>[]> {
    const ranges = await this.table.ranges(since, until);
    const size = Math.min(MOST, Math.max(FEWEST, Math.floor(RECORDS / Math.max(1, ranges.length))));
    return ranges.map((range) => this.#recordsOf(range, { size, onBroken }));
  }

  async *latest(before: string | undefined): AsyncGenerator<LatestRecord> {
    for (let place = before === undefined ? undefined : (JSON.parse(before) as RowPlace); ;) {
      const rows = await this.table.latest(place, MOST);
      for (const { time, writer, seq, record: line } of rows) {
        place = [time, writer, seq];
        const record = this.readRecord(line);
        if (record) yield { record, line, place: JSON.stringify(place) };
      }
      if (rows.length < MOST) return;
    }
  }

  async *#recordsOf(
    { writer, first, last }: WriterRange,
    { size, onBroken }: { size: number; onBroken: OnBroken },
  ): AsyncGenerator<NumberedRecord> {
    let next = first;
    for (;;) {
      const rows = await this.table.page(writer, { from: next, to: last, size });
      for (const row of rows) {
        if (row.seq > next)
          onBroken?.(
            `the table lacks ${row.seq - next} record(s) of writer ${writer}, from number ${next} on`,
          );
        next = row.seq + 1;
        const record = this.readRecord(row.record);
        const wrong = onBroken && problemOf(row, record);
        if (wrong) onBroken(`the row of the table with the number ${row.seq} of writer ${writer} ${wrong}`);
        if (record) yield { record, number: row.seq };
      }
      if (rows.length < size) return;
    }
  }
}

/** The columns of a row come from its record. */
function problemOf(row: AuditRow, record: AuditRecord | undefined): string | undefined {
  if (!record) return 'has no record';
  const columns = differingColumns(auditRow(record), row);
  return columns.length === 0 ? undefined : `was changed: its record has another ${columns.join(', ')}`;
}
