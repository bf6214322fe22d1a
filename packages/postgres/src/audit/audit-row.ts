import type { AuditRecord } from '@toolwright/audit';

/**
 * A row of the table. The columns beside `record` are for searching. They are cut and cleaned, because a record that
 * the table refuses would stop all others behind it: an index takes no long texts, and a text no NUL.
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
    record: JSON.stringify(record),
  };
}

function searchable(text: string | undefined): string | null {
  if (text === undefined) return null;
  const cut = text.slice(0, MOST_CHARACTERS).replaceAll('\0', '\ufffd');
  // UTF-8 has no half of a pair of surrogates: what the cut has left of one, or the caller has sent, is replaced.
  return Buffer.from(cut).toString();
}
