import type { TaskEnding, TaskRecord } from '@toolwright/core';
import type { Row } from '@toolwright/postgres/database';
import { fromColumn } from './plain-text.js';

/** Now, as exactly as records tell it. */
export const NOW = "date_trunc('milliseconds', clock_timestamp())";

/** The time of a column, in milliseconds since the epoch. */
export const epochMs = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

/**
 * The columns of a record. JSON is read as text: an application may have told its driver to read JSON in another way.
 */
export const RECORD = `id, owner, status, status_message, ttl_ms, poll_interval_ms,
  ${epochMs('created_at')} AS created_ms, ${epochMs('updated_at')} AS updated_ms,
  questions::text, answers::text, ending::text`;

export function recordOf(row: Row): TaskRecord {
  const message = row['status_message'] as string | null;
  const ending = row['ending'] as string | null;
  return {
    id: row['id'] as string,
    owner: fromColumn(row['owner']),
    ttlMs: row['ttl_ms'] as number | null,
    pollIntervalMs: row['poll_interval_ms'] as number,
    status: row['status'] as TaskRecord['status'],
    ...(message !== null && { statusMessage: fromColumn(message) }),
    createdAt: row['created_ms'] as number,
    updatedAt: row['updated_ms'] as number,
    questions: JSON.parse(row['questions'] as string) as TaskRecord['questions'],
    answers: JSON.parse(row['answers'] as string) as TaskRecord['answers'],
    ...(ending !== null && { ending: JSON.parse(ending) as TaskEnding }),
  };
}
