import type { TaskRecord, TaskStatus } from '@toolwright/core/ports';
import type { Query } from '@toolwright/postgres/database';
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

  async ofOwners(query: Query, prefix: string): Promise<OwnedTask[]> {
    const rows = await query(
      `SELECT ${RECORD} FROM ${this.#tasks} WHERE starts_with(owner, $1) ORDER BY created_at, id`,
      [toColumn(prefix)],
    );
    return rows.map((row) => ({
      record: recordOf(row),
      tool: row['tool'] === null ? undefined : shownText(row['tool']),
    }));
  }

  /** Removes tasks, and takes their owners out of what operators have done. @returns the jobs of the tasks */
  async erase(query: Query, prefix: string): Promise<{ removed: number; jobIds: string[] }> {
    const owners = [toColumn(prefix)];
    const rows = await query(
      `DELETE FROM ${this.#tasks} WHERE starts_with(owner, $1) RETURNING job_id`,
      owners,
    );
    await query(`UPDATE ${this.#actions} SET owner = '' WHERE starts_with(owner, $1)`, owners);
    const jobIds = rows.map((row) => row['job_id'] as string | null).filter((id) => id !== null);
    return { removed: rows.length, jobIds };
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
