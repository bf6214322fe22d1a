import type { AuditRecord } from '@toolwright/audit';
import { writeJson } from '@toolwright/core/transport';
import { cutText } from '@toolwright/json';
import type { Database } from '../connect/database.js';

/**
 * A row of the table. The columns beside `record` are for searching. They are cut and cleaned, because a record that
 * the table refuses would stop all later ones: an index takes no long texts, and a text no NUL.
 */
export interface AuditRow {
  readonly id: string;
  readonly writer: string;
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly event: string;
  readonly operation: string;
  readonly name: string;
  readonly subject: string | null;
  readonly outcome: string | null;
  readonly call_id: string;
  readonly trace_id: string | null;
  /** The whole record, as JSON. */
  readonly record: string;
}

/** The columns, with the types that their values have in JSON. */
const columns: Readonly<Record<keyof AuditRow, string>> = {
  id: 'text',
  writer: 'text',
  seq: 'bigint',
  time: 'float8',
  event: 'text',
  operation: 'text',
  name: 'text',
  subject: 'text',
  outcome: 'text',
  call_id: 'text',
  trace_id: 'text',
  record: 'text',
};

/** The columns in the order of the table, for statements. */
export const columnNames = Object.keys(columns) as (keyof AuditRow)[];

/** The rows of a JSON array that is the first value of a statement. */
export const rowsFromJson = `json_to_recordset($1::json) AS sent(${columnNames
  .map((name) => `${name} ${columns[name]}`)
  .join(', ')})`;

const MOST_CHARACTERS = 500;

export function auditRow(record: AuditRecord): AuditRow {
  return {
    id: searchable(record.id)!,
    writer: searchable(record.writer)!,
    seq: record.seq,
    time: Math.round(record.time),
    event: searchable(record.event)!,
    operation: searchable(record.operation)!,
    name: searchable(record.name)!,
    subject: searchable(record.principal?.subject),
    outcome: searchable(record.outcome),
    call_id: searchable(record.callId)!,
    trace_id: searchable(record.traceId),
    record: writeJson(record),
  };
}

/** The columns in which a row differs from what a record would have there. */
export const differingColumns = (expected: AuditRow, found: AuditRow): (keyof AuditRow)[] =>
  columnNames.filter((name) => expected[name] !== found[name]);

function searchable(text: string | undefined): string | null {
  if (text === undefined) return null;
  const cut = cutText(text, MOST_CHARACTERS).replaceAll('\0', '\ufffd');
  // UTF-8 has no half of a pair of surrogates: what the caller has sent of one is replaced.
  return Buffer.from(cut).toString();
}

/** The columns as they were before they were stored. */
const stored = columnNames.map((name) => {
  if (name === 'seq') return 'seq::float8 AS seq';
  if (name === 'time') return 'round(extract(epoch FROM time) * 1000)::float8 AS time';
  return name === 'record' ? 'record::text AS record' : name;
});

/** The numbers of one writer that the table has. */
export interface WriterRange {
  readonly writer: string;
  readonly first: number;
  readonly last: number;
}

/** Milliseconds since the epoch, writer and number. */
export type RowPlace = readonly [time: number, writer: string, seq: number];

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

  /** Some rows of one writer, in the order of their numbers. */
  page(writer: string, { from, to, size }: { from: number; to: number; size: number }): Promise<AuditRow[]> {
    const where = 'WHERE writer = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq LIMIT $4';
    return this.#read(where, [writer, from, to, size]);
  }

  /** Some rows, the latest first. @param before those before this one, in this order */
  latest(before: RowPlace | undefined, size: number): Promise<AuditRow[]> {
    const end = 'ORDER BY time DESC, writer DESC, seq DESC LIMIT';
    if (before === undefined) return this.#read(`${end} $1`, [size]);
    const where = 'WHERE (time, writer, seq) < (to_timestamp($1::float8 / 1000), $2::text, $3::bigint)';
    return this.#read(`${where} ${end} $4`, [...before, size]);
  }

  /** The first and the last number of each writer within some times, in milliseconds since the epoch. */
  async ranges(since = -Infinity, until = Infinity): Promise<WriterRange[]> {
    const at = (ms: number) => (Number.isFinite(ms) ? ms : null);
    const rows = await this.database.query(
      `SELECT writer, min(seq)::float8 AS first, max(seq)::float8 AS last FROM "${this.schema}".audit_records
       WHERE ($1::float8 IS NULL OR time >= to_timestamp($1::float8 / 1000))
         AND ($2::float8 IS NULL OR time < to_timestamp($2::float8 / 1000))
       GROUP BY writer ORDER BY writer`,
      [at(since), at(until)],
    );
    return rows as unknown as WriterRange[];
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
