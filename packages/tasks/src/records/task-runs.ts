import type { TaskEnding, TaskQuestion } from '@toolwright/core/ports';
import type { Query, Row } from '@toolwright/postgres/database';
import type { HandedOut } from '../engine/job-engine.js';
import { fromColumn, toColumn } from './plain-text.js';
import { nextRun, NOW, objectOf } from './task-row.js';

/** One run, by its number. Whoever has an older number has lost its run. */
export interface RunKey {
  readonly taskId: string;
  readonly run: number;
}

export interface TakenRun extends RunKey, HandedOut {
  readonly attempt: number;
  readonly isAfterLoss: boolean;
  readonly lossesAlone: number;
  readonly origin: string | undefined;
  readonly job: string;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly steps: ReadonlyMap<string, string | undefined>;
}

/** A run whose record cannot be read: somebody else has written it. Nobody can do its work. */
export interface UnreadableRun extends RunKey {
  readonly reason: string;
}

/** Runs that have begun. A run that cannot be read holds up no other. */
export interface TakenRuns {
  readonly taken: readonly TakenRun[];
  readonly unreadable: readonly UnreadableRun[];
}

/** The largest number of the column. No task has this many runs. */
const FULL = 2_147_483_647;

/** The number is the latest one, and the task goes on. */
const HELD = 'id = $1 AND run = $2 AND ending IS NULL AND expires_at > clock_timestamp()';

/** What runs do to the records. A run that is lost, or whose task has ended, changes nothing. */
export class TaskRuns {
  readonly #tasks: string;
  readonly #steps: string;

  constructor(schema: string) {
    this.#tasks = `"${schema}".tasks`;
    this.#steps = `"${schema}".task_steps`;
  }

  /** Begins runs of those tasks whose next run this is. The jobs of all others are no longer needed. */
  async take(query: Query, offered: readonly HandedOut[], { worker, isAlone }: Taking): Promise<TakenRuns> {
    const rows = await query(
      `UPDATE ${this.#tasks} AS task
       SET run = ${nextRun('task.run')}, attempt = least(task.attempt, ${FULL - 1}) + 1, unsettled = true, worker = $4,
         job_number = before.number, alone = $5, losses = least(task.losses, 1000) + before.unsettled::integer,
         losses_alone = least(task.losses_alone, 1000) + (before.unsettled AND task.alone)::integer
       FROM (
         SELECT id, unsettled, number FROM ${this.#tasks}
         JOIN unnest($1::text[], $2::uuid[], $3::int[]) AS offered (task_id, offered_job, number) ON id = task_id
         WHERE job_id = offered_job AND number > job_number AND ending IS NULL AND expires_at > clock_timestamp()
         FOR UPDATE
       ) AS before
       WHERE task.id = before.id
       RETURNING task.id, task.run, task.job_id, task.attempt, task.job, task.origin, task.answers::text,
         before.unsettled AS after_loss, task.losses_alone`,
      [
        offered.map(({ taskId }) => taskId),
        offered.map(({ jobId }) => jobId),
        offered.map(({ number }) => number),
        worker,
        isAlone,
      ],
    );
    const again = rows
      .filter((row) => (row['run'] as number) > 1 || row['origin'] !== null)
      .map((row) => row['id'] as string);
    const steps = again.length > 0 ? await this.#stepsOf(query, again) : undefined;
    const byJob = new Map(offered.map((each) => [each.jobId, each]));
    const taken: TakenRun[] = [];
    const unreadable: UnreadableRun[] = [];
    for (const row of rows) {
      const taskId = row['id'] as string;
      try {
        const run = takenRun(row, steps?.get(taskId) ?? []);
        taken.push({ ...byJob.get(row['job_id'] as string)!, ...run });
      } catch (error) {
        unreadable.push({ taskId, run: row['run'] as number, reason: (error as Error).message });
      }
    }
    return { taken, unreadable };
  }

  /** @returns the runs that are lost, or whose task has ended */
  async lost<Run extends RunKey>(query: Query, runs: readonly Run[]): Promise<Run[]> {
    const rows = await query(
      `SELECT id, run FROM ${this.#tasks} JOIN unnest($1::text[], $2::int[]) AS asked (task_id, asked_run) ON id = task_id
       WHERE run = asked_run AND ending IS NULL AND expires_at > clock_timestamp()`,
      [runs.map(({ taskId }) => taskId), runs.map(({ run }) => run)],
    );
    const held = new Set(rows.map((row) => `${row['run'] as number} ${row['id'] as string}`));
    return runs.filter(({ run, taskId }) => !held.has(`${run} ${taskId}`));
  }

  note(query: Query, key: RunKey, statusMessage: string): Promise<boolean> {
    return this.#change(query, key, 'status_message = $3', [toColumn(statusMessage)]);
  }

  end(query: Query, key: RunKey, { ending, isDead }: { ending: TaskEnding; isDead: boolean }) {
    return this.#change(
      query,
      key,
      `status = $3, ending = $4::json, dead = $5, questions = '{}', answers = '{}', ${OVER}`,
      [ending.status, JSON.stringify(ending), isDead],
    );
  }

  ask(query: Query, key: RunKey, questions: Readonly<Record<string, TaskQuestion>>): Promise<boolean> {
    return this.#change(query, key, `status = 'input_required', questions = $3::json, ${OVER}`, [
      JSON.stringify(questions),
    ]);
  }

  retry(query: Query, key: RunKey, next: { jobId: string; statusMessage: string }): Promise<boolean> {
    const values = [next.jobId, toColumn(next.statusMessage)];
    return this.#change(
      query,
      key,
      `status_message = $4, ${SETTLED}, job_id = $3::uuid, job_number = -1`,
      values,
    );
  }

  /** The run has not begun: the next one is like it. */
  postpone(
    query: Query,
    key: RunKey,
    next: { jobId: string; statusMessage: string; isAfterLoss: boolean },
  ): Promise<boolean> {
    const set = `status_message = $4, unsettled = $5, alone = false, losses = losses - $5::boolean::integer,
      attempt = attempt - 1, job_id = $3::uuid, job_number = -1`;
    return this.#change(query, key, set, [next.jobId, toColumn(next.statusMessage), next.isAfterLoss]);
  }

  /** From now on the run is lost, but it does not count as one that may have ended its process. */
  giveBack(query: Query, key: RunKey, jobId: string): Promise<boolean> {
    return this.#change(
      query,
      key,
      `run = ${nextRun('run')}, alone = false, losses = losses - 1, job_id = $3::uuid, job_number = -1`,
      [jobId],
    );
  }

  /** The lock keeps the run held until the step is stored. */
  beginStep(query: Query, key: RunKey, step: string): Promise<boolean> {
    return this.#step(
      query,
      key,
      `INSERT INTO ${this.#steps} (task_id, key) SELECT id, $3 FROM held
       ON CONFLICT (task_id, key) DO UPDATE SET result = NULL RETURNING 1`,
      [toColumn(step)],
    );
  }

  endStep(query: Query, key: RunKey, step: string, result: string): Promise<boolean> {
    return this.#step(
      query,
      key,
      `UPDATE ${this.#steps} SET result = $4 FROM held WHERE task_id = id AND key = $3 RETURNING 1`,
      [toColumn(step), toColumn(result)],
    );
  }

  async #step(query: Query, { taskId, run }: RunKey, statement: string, values: unknown[]): Promise<boolean> {
    const rows = await query(
      `WITH held AS (SELECT id FROM ${this.#tasks} WHERE ${HELD} FOR SHARE), stored AS (${statement})
       SELECT FROM stored`,
      [taskId, run, ...values],
    );
    return rows.length > 0;
  }

  async #change(query: Query, { taskId, run }: RunKey, set: string, values: unknown[]): Promise<boolean> {
    const rows = await query(
      `UPDATE ${this.#tasks} SET ${set}, updated_at = ${NOW} WHERE ${HELD} RETURNING 1`,
      [taskId, run, ...values],
    );
    return rows.length > 0;
  }

  async #stepsOf(query: Query, ids: readonly string[]): Promise<ReadonlyMap<string, readonly Row[]>> {
    const rows = await query(`SELECT task_id, key, result FROM ${this.#steps} WHERE task_id = ANY($1)`, [
      ids,
    ]);
    const all = new Map(ids.map((id) => [id, [] as Row[]]));
    for (const row of rows) all.get(row['task_id'] as string)!.push(row);
    return all;
  }
}

/** The run is over, and no other one is planned. */
const SETTLED = 'unsettled = false, losses = 0, losses_alone = 0';
const OVER = `${SETTLED}, job_id = NULL`;

interface Taking {
  /** The name of the process. */
  readonly worker: string;
  /** Nothing else runs in it. */
  readonly isAlone: boolean;
}

/** @throws {SyntaxError} when somebody else has written the row, and it cannot be read */
function takenRun(row: Row, steps: readonly Row[]) {
  const answers = objectOf(row['answers']);
  if (!answers) throw new SyntaxError('The answers are no object.');
  if (row['attempt'] === FULL) throw new SyntaxError('The count of its runs is full.');
  return {
    run: row['run'] as number,
    attempt: row['attempt'] as number,
    isAfterLoss: row['after_loss'] as boolean,
    lossesAlone: row['losses_alone'] as number,
    origin: (row['origin'] as string | null) ?? undefined,
    job: fromColumn(row['job']),
    answers,
    steps: new Map(
      steps.map(({ key, result }) => [fromColumn(key), result === null ? undefined : fromColumn(result)]),
    ),
  };
}
