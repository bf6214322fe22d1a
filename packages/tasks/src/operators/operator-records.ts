import { principalKeysOf } from '@toolwright/core/operate';
import type { DataOwner, TaskRecord, TaskStatus } from '@toolwright/core/ports';
import type { Query, Row } from '@toolwright/postgres/database';
import { shownText, toColumn } from '../records/plain-text.js';
import { epochMs, NOW, RECORD, recordOf } from '../records/task-row.js';
import { OPERATED, operatedTask, taskAction, type OperatedTask, type TaskAction } from './operated-task.js';

/** Which tasks to list, the latest first. */
export interface TaskFilter {
  readonly status?: TaskStatus | undefined;
  readonly tool?: string | undefined;
  readonly owner?: string | undefined;
  /** Only tasks that an operator should look at. */
  readonly dead?: boolean | undefined;
  /** The largest number of tasks. Default 50. */
  readonly limit?: number | undefined;
}

/** How many owners, tasks and erasures one statement is about. A task may have a result of a megabyte. */
const OWNERS = 1_000;
const TASKS = 20;
const ERASED = 500;

/** A task as it is stored. What it says is sealed. */
export interface OwnedTask {
  readonly tool: string | undefined;
  readonly record: TaskRecord;
}

/** What operators read and write. Tasks of all owners are theirs. */
export class OperatorRecords {
  readonly #tasks: string;
  readonly #steps: string;
  readonly #actions: string;

  constructor(schema: string) {
    this.#tasks = `"${schema}".tasks`;
    this.#steps = `"${schema}".task_steps`;
    this.#actions = `"${schema}".task_actions`;
  }

  async list(query: Query, { status, tool, owner, dead, limit = 50 }: TaskFilter): Promise<OperatedTask[]> {
    const rows = await query(
      `SELECT ${OPERATED} FROM ${this.#tasks}
       WHERE expires_at > clock_timestamp() AND ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR tool = $2)
         AND ($3::text IS NULL OR owner = $3) AND (dead OR NOT $4)
       ORDER BY created_at DESC, id LIMIT $5`,
      [
        status ?? null,
        tool === undefined ? null : toColumn(tool),
        owner === undefined ? null : toColumn(owner),
        dead ?? false,
        limit,
      ],
    );
    return rows.map(operatedTask);
  }

  async show(query: Query, id: string): Promise<OperatedTask | undefined> {
    const [row] = await query(
      `SELECT ${OPERATED} FROM ${this.#tasks} WHERE id = $1 AND expires_at > clock_timestamp()`,
      [id],
    );
    return row && operatedTask(row);
  }

  /**
   * Begins a task that has ended again, as a new one with the same work. Steps that have a result are not done again.
   *
   * @returns false when there is no such task, it has not ended, or no queue has its work
   */
  async begin(query: Query, id: string, next: { id: string; jobId: string }): Promise<boolean> {
    const begun = await query(
      `INSERT INTO ${this.#tasks} (id, owner, tool, ttl_ms, poll_interval_ms, created_at, updated_at, expires_at,
         job, origin, job_id, work, party)
       SELECT $2, owner, tool, ttl_ms, poll_interval_ms, now.at, now.at,
         CASE WHEN expires_at = 'infinity' THEN expires_at ELSE now.at + (expires_at - created_at) END,
         job, coalesce(origin, id), $3::uuid, work, party
       FROM ${this.#tasks}, (SELECT ${NOW} AS at) AS now
       WHERE id = $1 AND ending IS NOT NULL AND job IS NOT NULL AND expires_at > clock_timestamp()
       RETURNING 1`,
      [id, next.id, next.jobId],
    );
    if (begun.length === 0) return false;
    await query(
      `INSERT INTO ${this.#steps} (task_id, key, result) SELECT $2, key, result FROM ${this.#steps} WHERE task_id = $1`,
      [id, next.id],
    );
    await query(`UPDATE ${this.#tasks} SET dead = false WHERE id = $1`, [id]);
    return true;
  }

  /** The owners that a search means, of tasks and of what was done with tasks, a page at a time. */
  async *owners(query: Query, owner: DataOwner): AsyncGenerator<readonly string[]> {
    const { begins, ends, has } = principalKeysOf(owner);
    const marks = [toColumn(begins), toColumn(ends)];
    for (let after = ''; ;) {
      const rows: Row[] = await query(
        `SELECT owner FROM ${this.#tasks} WHERE starts_with(owner, $1) AND right(owner, length($2)) = $2 AND owner > $3
         UNION SELECT owner FROM ${this.#actions}
         WHERE starts_with(owner, $1) AND right(owner, length($2)) = $2 AND owner > $3
         ORDER BY owner LIMIT $4`,
        [...marks, after, OWNERS],
      );
      const page = rows.map((row) => row['owner'] as string);
      // The marks find the keys of others, too: a tenant may be called as a client of somebody without a tenant.
      const meant = page.filter((column) => has(shownText(column)));
      if (meant.length > 0) yield meant;
      if (page.length < OWNERS) return;
      after = page.at(-1)!;
    }
  }

  /** The tasks of these owners, the oldest first. */
  async *ofOwners(query: Query, owners: readonly string[]): AsyncGenerator<OwnedTask> {
    for (let at: string | null = null, id = ''; ;) {
      const rows: Row[] = await query(
        `SELECT ${RECORD}, created_at::text AS at FROM ${this.#tasks}
         WHERE owner = ANY($1) AND ($2::timestamptz IS NULL OR (created_at, id) > ($2::timestamptz, $3))
         ORDER BY created_at, id LIMIT $4`,
        [owners, at, id, TASKS],
      );
      for (const row of rows)
        yield { record: recordOf(row), tool: row['tool'] === null ? undefined : shownText(row['tool']) };
      if (rows.length < TASKS) return;
      const last = rows.at(-1)!;
      [at, id] = [last['at'] as string, last['id'] as string];
    }
  }

  /** Removes some of the tasks of these owners. @returns how many, and their jobs */
  async erase(query: Query, owners: readonly string[]): Promise<{ removed: number; jobIds: string[] }> {
    const rows = await query(
      `DELETE FROM ${this.#tasks} WHERE id IN (SELECT id FROM ${this.#tasks} WHERE owner = ANY($1) LIMIT $2)
       RETURNING job_id`,
      [owners, ERASED],
    );
    const jobIds = rows.map((row) => row['job_id'] as string | null).filter((id) => id !== null);
    return { removed: rows.length, jobIds };
  }

  /** Takes these owners out of what operators have done. */
  async forget(query: Query, owners: readonly string[]): Promise<void> {
    await query(`UPDATE ${this.#actions} SET owner = '' WHERE owner = ANY($1)`, [owners]);
  }

  /** Stores what an operator does, in the transaction that does it. */
  async record(
    query: Query,
    id: string,
    { by, action, newTaskId }: { by: string; action: TaskAction['action']; newTaskId?: string },
  ): Promise<void> {
    await query(
      `INSERT INTO ${this.#actions} (at, by, action, task_id, owner, tool, new_task_id)
       SELECT ${NOW}, $2, $3, id, owner, tool, $4 FROM ${this.#tasks} WHERE id = $1`,
      [id, toColumn(by), action, newTaskId ?? null],
    );
  }

  async actions(query: Query, limit: number): Promise<TaskAction[]> {
    const rows = await query(
      `SELECT ${epochMs('at')} AS at_ms, by, action, task_id, owner, tool, new_task_id FROM ${this.#actions}
       ORDER BY id DESC LIMIT $1`,
      [limit],
    );
    return rows.map(taskAction);
  }
}
