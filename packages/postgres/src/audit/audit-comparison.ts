import type { AuditRow } from './audit-row.js';

/** A record that log and table do not agree on. */
export interface AuditDifference {
  readonly id: string;
  readonly writer: string;
  readonly seq: number;
  /** The columns that differ, for an altered record. */
  readonly columns?: readonly string[];
}

/** Differences of one kind. */
export interface AuditDifferences {
  readonly count: number;
  /** The first 1,000 of them. */
  readonly first: readonly AuditDifference[];
}

/** What `compareAudit` has found. */
export interface AuditComparison {
  /** True when the table has what the log has sent, and nothing else of its writers. */
  readonly equal: boolean;
  /** How many records the log has. */
  readonly records: number;
  /** How many of them the sink has not acknowledged yet, and the table does not have. */
  readonly waiting: number;
  /** How many rows belong to files of the log that retention has deleted. Nothing can be said about them. */
  readonly older: number;
  /** How many rows belong to writers that are not in this log. Pass the logs of all replicas, and it must be 0. */
  readonly others: number;
  /** Records that the log has sent and the table does not have. */
  readonly missing: AuditDifferences;
  /** Rows that differ from their record. */
  readonly altered: AuditDifferences;
  /** Rows of the log's writers that the log does not have. */
  readonly extra: AuditDifferences;
  /** Where the log itself is visibly damaged. Nothing that is read there can be relied on. */
  readonly broken: readonly string[];
}

const MOST_LISTED = 1_000;

/** Collects differences of one kind. It keeps the first ones, and counts all. */
export class DifferenceList implements AuditDifferences {
  count = 0;
  readonly first: AuditDifference[] = [];

  add({ id, writer, seq }: AuditRow, columns?: readonly string[]): void {
    this.count += 1;
    if (this.first.length < MOST_LISTED) this.first.push({ id, writer, seq, ...(columns && { columns }) });
  }
}
