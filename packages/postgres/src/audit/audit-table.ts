import type { Database } from '../connect/database.js';
import { columnNames, type AuditRow } from './audit-row.js';

/** The columns as they were before they were stored. */
const stored = columnNames.map((name) => {
  if (name === 'seq') return 'seq::float8 AS seq';
  if (name === 'time') return 'round(extract(epoch FROM time) * 1000)::float8 AS time';
  return name === 'record' ? 'record::text AS record' : name;
});

/** Reads the table of audit records. */
export class AuditTable {
  readonly #rows: string;

  constructor(
    private readonly database: Database,
    private readonly schema: string,
  ) {
    this.#rows = `SELECT ${stored.join(', ')} FROM "${schema}".audit_records`;
  }

  /** The rows of one writer from one number to another, both included. */
  between(writer: string, first: number, last: number): Promise<AuditRow[]> {
    return this.#read('WHERE writer = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq', [writer, first, last]);
  }

  withIds(ids: readonly string[]): Promise<AuditRow[]> {
    return this.#read('WHERE id IN (SELECT json_array_elements_text($1::json))', [JSON.stringify(ids)]);
  }

  /** The highest number of each writer. */
  async lastNumbers(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query(
      `SELECT writer, max(seq)::float8 AS seq FROM "${this.schema}".audit_records GROUP BY writer`,
    );
    return new Map(rows.map(({ writer, seq }) => [writer as string, seq as number]));
  }

  /** How many rows a writer has before a number. */
  async countBefore(writer: string, seq: number): Promise<number> {
    return this.#count('writer = $1 AND seq < $2', [writer, seq]);
  }

  /** How many rows other writers have. */
  async countOthers(writers: readonly string[]): Promise<number> {
    return this.#count('writer NOT IN (SELECT json_array_elements_text($1::json))', [
      JSON.stringify(writers),
    ]);
  }

  async #read(where: string, values: unknown[]): Promise<AuditRow[]> {
    return (await this.database.query(`${this.#rows} ${where}`, values)) as unknown as AuditRow[];
  }

  async #count(where: string, values: unknown[]): Promise<number> {
    const [row] = await this.database.query(
      `SELECT count(*)::float8 AS rows FROM "${this.schema}".audit_records WHERE ${where}`,
      values,
    );
    return row!['rows'] as number;
  }
}
