import type {
  NewTask,
  QueueDepth,
  TaskEnding,
  TaskPage,
  TaskQuestion,
  TaskRecord,
} from '@toolwright/core/ports';
import type { Query } from '@toolwright/postgres/database';
import { fromColumn, toColumn } from './plain-text.js';
import { nextRun, NOW, RECORD, recordOf } from './task-row.js';

/** What a queue knows about a new task besides. */
export interface NewJob {
  readonly tool: string;
  readonly work?: string | undefined;
  readonly party?: string | undefined;
  readonly job: string;
  readonly jobId: string;
}

const optional = (text: string | undefined): string | null => (text === undefined ? null : toColumn(text));

/** An interval of Postgres has an end; this one is as good as none. */
const LONGEST_MS = 100 * 365 * 86_400_000;
const PAGE = 100;
const ALIVE = 'expires_at > clock_timestamp()';

/** The records of tasks, as their clients see them. Each method is one statement. */
export class TaskRecords {
  readonly #tasks: string;

  constructor(schema: string) {
    this.#tasks = `"${schema}".tasks`;
  }

  async create(query: Query, task: NewTask, job?: NewJob): Promise<TaskRecord> {
    const [row] = await query(
      `INSERT INTO ${this.#tasks} (id, owner, ttl_ms, poll_interval_ms, created_at, updated_at, expires_at,
         tool, job, job_id, work, party)
       SELECT $1, $2, $3::float8, $4::float8, at, at,
         coalesce(at + least($3::float8, ${LONGEST_MS}) * interval '1 millisecond', 'infinity'), $5, $6, $7::uuid, $8, $9
       FROM (SELECT ${NOW} AS at) AS now
       RETURNING ${RECORD}`,
      [
        task.id,
        toColumn(task.owner),
        task.ttlMs,
        task.pollIntervalMs,
        optional(job?.tool ?? task.tool),
        ...(job
          ? [toColumn(job.job), job.jobId, optional(job.work), optional(job.party)]
          : [null, null, null, null]),
      ],
    );
    return recordOf(row!);
  }

  /** @returns the records in the order of the tasks */
  async createAll(query: Query, tasks: readonly (NewTask & NewJob)[]): Promise<TaskRecord[]> {
    const rows = await query(
      `INSERT INTO ${this.#tasks} (id, owner, ttl_ms, poll_interval_ms, tool, job, job_id, work, party,
         created_at, updated_at, expires_at)
       SELECT task.*, at, at, coalesce(at + least(ttl_ms, ${LONGEST_MS}) * interval '1 millisecond', 'infinity')
       FROM (SELECT ${NOW} AS at) AS now, unnest(
         $1::text[], $2::text[], $3::float8[], $4::float8[], $5::text[], $6::text[], $7::uuid[], $8::text[],
         $9::text[]
       ) AS task (id, owner, ttl_ms, poll_interval_ms, tool, job, job_id, work, party)
       RETURNING ${RECORD}`,
      [
        tasks.map(({ id }) => id),
        tasks.map(({ owner }) => toColumn(owner)),
        tasks.map(({ ttlMs }) => ttlMs),
        tasks.map(({ pollIntervalMs }) => pollIntervalMs),
        tasks.map(({ tool }) => toColumn(tool)),
        tasks.map(({ job }) => toColumn(job)),
        tasks.map(({ jobId }) => jobId),
        tasks.map(({ work }) => optional(work)),
        tasks.map(({ party }) => optional(party)),
      ],
    );
    const records = new Map(rows.map((row) => [row['id'] as string, recordOf(row)]));
    return tasks.map(({ id }) => records.get(id)!);
  }

  async get(query: Query, id: string): Promise<TaskRecord | undefined> {
    const [row] = await query(`SELECT ${RECORD} FROM ${this.#tasks} WHERE id = $1 AND ${ALIVE}`, [id]);
    return row && recordOf(row);
  }

  async list(query: Query, owner: string, cursor?: string): Promise<TaskPage | undefined> {
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    if (cursor !== undefined && !after) return undefined;
    const rows = await query(
      `SELECT ${RECORD} FROM ${this.#tasks} WHERE owner = $1 AND ${ALIVE}
         AND ($2::float8 IS NULL OR (created_at, id) > (to_timestamp($2::float8 / 1000), $3))
       ORDER BY created_at, id LIMIT ${PAGE + 1}`,
      [toColumn(owner), after?.createdAt ?? null, after?.id ?? ''],
    );
    const tasks = rows.slice(0, PAGE).map(recordOf);
    return { tasks, next: rows.length > PAGE ? encodeCursor(tasks[PAGE - 1]!) : undefined };
  }

  note(query: Query, id: string, statusMessage: string): Promise<boolean> {
    return this.#change(query, id, 'status_message = $2', [toColumn(statusMessage)]);
  }

  /** Locks the task until the transaction is over. @returns `undefined` when it has ended, or is unknown */
  async open(query: Query, id: string): Promise<OpenTask | undefined> {
    const [row] = await query(
      `SELECT ${RECORD}, job IS NOT NULL AS queued, job_id, unsettled FROM ${this.#tasks}
       WHERE id = $1 AND ending IS NULL AND ${ALIVE} FOR UPDATE`,
      [id],
    );
    if (!row) return undefined;
    const isWaiting = row['queued'] === true && row['job_id'] === null && row['unsettled'] === false;
    return { record: recordOf(row), isWaiting };
  }

  /**
   * Replaces the questions and answers of an open task.
   *
   * @param jobId the next run, when the answers hand the work out again
   */
  async discuss(
    query: Query,
    id: string,
    { questions, answers, jobId }: Discussion & { jobId?: string | undefined },
  ): Promise<void> {
    const status = Object.keys(questions).length > 0 ? 'input_required' : 'working';
    const again = jobId === undefined ? '' : ', job_id = $5::uuid, job_number = -1, attempt = 0';
    await this.#change(query, id, `status = $2, questions = $3::json, answers = $4::json${again}`, [
      status,
      JSON.stringify(questions),
      JSON.stringify(answers),
      ...(jobId === undefined ? [] : [jobId]),
    ]);
  }

  /**
   * Ends the task, and every run of it.
   *
   * @returns the job that was to run, or is at work; `undefined` when there is no such task, or it had ended
   */
  async end(query: Query, id: string, ending: TaskEnding): Promise<{ jobId: string | null } | undefined> {
    const [row] = await query(
      `UPDATE ${this.#tasks} AS task SET status = $2, ending = $3::json, questions = '{}', answers = '{}',
         updated_at = ${NOW}, run = ${nextRun('task.run')}, unsettled = false, job_id = NULL
       FROM (SELECT id, job_id FROM ${this.#tasks} WHERE id = $1 FOR UPDATE) AS before
       WHERE task.id = before.id AND task.ending IS NULL AND ${ALIVE}
       RETURNING before.job_id`,
      [id, ending.status, JSON.stringify(ending)],
    );
    return row && { jobId: row['job_id'] as string | null };
  }

  /** How many tasks an operator should look at. */
  async dead(query: Query): Promise<number> {
    const [row] = await query(`SELECT count(*)::int AS dead FROM ${this.#tasks} WHERE dead AND ${ALIVE}`);
    return row?.['dead'] as number;
  }

  /** How many tasks wait for a worker, by tool and class of owner. @param waitingJobs finds the jobs of these */
  async depth(query: Query, waitingJobs: string): Promise<QueueDepth[]> {
    const rows = await query(
      `SELECT tool, CASE WHEN owner = '' THEN 'anonymous' WHEN owner LIKE '[%' THEN 'principal' ELSE 'schedule' END
         AS owner_class, count(*)::int AS waiting
       FROM ${this.#tasks} WHERE job_id IN (${waitingJobs}) GROUP BY 1, 2`,
    );
    return rows.flatMap(({ tool, owner_class: ownerClass, waiting }) => {
      try {
        return [{ tool: fromColumn(tool), ownerClass, waiting } as QueueDepth];
      } catch {
        // Somebody else has written this row. Everything else that waits is still reported.
        return [];
      }
    });
  }

  /** Removes tasks whose time has passed. @returns their jobs */
  async sweep(query: Query, most: number): Promise<{ removed: number; jobIds: string[] }> {
    const rows = await query(
      `DELETE FROM ${this.#tasks} WHERE id IN (
         SELECT id FROM ${this.#tasks} WHERE NOT (${ALIVE}) LIMIT ${most} FOR UPDATE SKIP LOCKED
       ) RETURNING job_id`,
    );
    const jobIds = rows.map((row) => row['job_id'] as string | null).filter((id) => id !== null);
    return { removed: rows.length, jobIds };
  }

  async #change(query: Query, id: string, set: string, values: unknown[]): Promise<boolean> {
    const changed = await query(
      `UPDATE ${this.#tasks} SET ${set}, updated_at = ${NOW}
       WHERE id = $1 AND ending IS NULL AND ${ALIVE} RETURNING 1`,
      [id, ...values],
    );
    return changed.length > 0;
  }
}

export interface Discussion {
  readonly questions: Readonly<Record<string, TaskQuestion>>;
  readonly answers: Readonly<Record<string, unknown>>;
}

export interface OpenTask {
  readonly record: TaskRecord;
  /** A queue hands out its work, and waits for nothing but answers. */
  readonly isWaiting: boolean;
}

/** The place behind a task, in the order of creation. */
interface CursorPlace {
  readonly createdAt: number;
  readonly id: string;
}

function encodeCursor({ createdAt, id }: TaskRecord): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');
}

/** @returns `undefined` when the cursor is not one of ours */
function decodeCursor(cursor: string): CursorPlace | undefined {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isPlace = Number.isFinite(createdAt) && typeof id === 'string' && !id.includes('\0');
    return isPlace ? { createdAt: createdAt as number, id: id as string } : undefined;
  } catch {
    return undefined;
  }
}
