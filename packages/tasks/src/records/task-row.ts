import { isObject } from '@toolwright/json';
import type { TaskEnding, TaskQuestion, TaskRecord } from '@toolwright/core/ports';
import type { Row } from '@toolwright/postgres/database';
import { fromColumn, shownText } from './plain-text.js';

/** Now, as exactly as records tell it. */
export const NOW = "date_trunc('milliseconds', clock_timestamp())";

/** The number of the next run. Behind the largest number that the column takes, it begins again; 1 is the first run. */
export const nextRun = (column: string): string =>
  `CASE WHEN ${column} < 2147483647 THEN ${column} + 1 ELSE 2 END`;

/** The time of a column, in milliseconds since the epoch. */
export const epochMs = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

/** The columns of a record. JSON is read as text: an application may have changed how its driver reads JSON. */
export const RECORD = `id, owner, tool, status, status_message, ttl_ms, poll_interval_ms,
  ${epochMs('created_at')} AS created_ms, ${epochMs('updated_at')} AS updated_ms,
  questions::text, answers::text, ending::text`;

/** How a task ends whose record somebody else has written, so that nobody can read it. The core knows the reason. */
export const UNREADABLE = {
  status: 'failed',
  error: {
    code: -32603,
    message: 'The record of this task cannot be read, so the task was given up.',
    data: { reason: 'record_unreadable' },
  },
} as const satisfies TaskEnding;

/** The owner of a record whose owner cannot be read. No principal has this key. */
const NOBODY = 'nobody';
const DEFAULT_POLL_MS = 1_000;

type Json = Readonly<Record<string, unknown>>;

/**
 * The record of a row. Whoever can write to the table can write anything, and one bad row must not hide the others. So
 * this never throws: a question or an answer that cannot be read counts as none, and an ending as a failure.
 */
export function recordOf(row: Row): TaskRecord {
  const message = row['status_message'];
  const ending = row['ending'] === null ? undefined : endingOf(row['ending']);
  const status = row['status'] === 'input_required' ? 'input_required' : 'working';
  return {
    id: String(row['id']),
    owner: readable(() => fromColumn(row['owner'])) ?? NOBODY,
    ...(row['tool'] !== null && { tool: shownText(row['tool']) }),
    ttlMs: row['ttl_ms'] as number | null,
    pollIntervalMs: finite(row['poll_interval_ms'], DEFAULT_POLL_MS),
    status: ending?.status ?? status,
    ...(message !== null && { statusMessage: shownText(message) }),
    createdAt: finite(row['created_ms'], 0),
    updatedAt: finite(row['updated_ms'], 0),
    questions: questionsOf(row['questions']),
    answers: objectOf(row['answers']) ?? {},
    ...(ending && { ending }),
  };
}

/** @returns `undefined` when the column holds no object of JSON */
export function objectOf(column: unknown): Json | undefined {
  const value = readable(() => JSON.parse(String(column)) as unknown);
  return isObject(value) ? value : undefined;
}

function questionsOf(column: unknown): TaskRecord['questions'] {
  const questions = Object.entries(objectOf(column) ?? {});
  return Object.fromEntries(
    questions.filter((entry): entry is [string, TaskQuestion] => isQuestion(entry[1])),
  );
}

function endingOf(column: unknown): TaskEnding {
  const ending = objectOf(column);
  return ending && isEnding(ending) ? (ending as TaskEnding) : UNREADABLE;
}

function isEnding({ status, result, error }: Json): boolean {
  if (status === 'completed') return isObject(result);
  if (status !== 'failed') return status === 'cancelled';
  return isObject(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string';
}

function isQuestion(value: unknown): boolean {
  return isObject(value) && typeof value['method'] === 'string' && isObject(value['params']);
}

/** A time of Postgres may be infinite. */
function finite(value: unknown, otherwise: number): number {
  return Number.isFinite(value) ? (value as number) : otherwise;
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
