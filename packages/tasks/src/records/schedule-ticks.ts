import type { QueueTick } from '@toolwright/core/extend';
import type { Query } from '@toolwright/postgres/database';
import { toColumn } from './plain-text.js';
import { epochMs } from './task-row.js';

/** What is known about a schedule. */
export interface KnownSchedule {
  /** The name of the server, and behind the slash that of the schedule. */
  readonly schedule: string;
  /** When it was due last, in milliseconds since the epoch. */
  readonly tick: number;
  /** The task of the last run that began; `undefined`: none has begun yet. */
  readonly taskId: string | undefined;
  /** How many runs have begun. */
  readonly begun: number;
  /** How many were left out, because the run before went on. */
  readonly overlapping: number;
}

/**
 * The latest tick of each schedule, one row for each. Its lock is what makes the processes of a fleet take turns, and
 * ticks only go forward: so each of them counts once, also when clocks differ.
 */
export class ScheduleTicks {
  readonly #schedules: string;
  readonly #tasks: string;

  constructor(schema: string) {
    this.#schedules = `"${schema}".schedules`;
    this.#tasks = `"${schema}".tasks`;
  }

  /**
   * Takes a tick, and locks its schedule until the transaction is over.
   *
   * @returns the task of the run before; `undefined` when the tick, or a later one, was taken before
   */
  async take(
    query: Query,
    { key, at, isLate }: QueueTick,
  ): Promise<{ before: string | undefined } | undefined> {
    const values = [toColumn(key), at];
    const add = `INSERT INTO ${this.#schedules} AS known (name, tick) VALUES ($1, to_timestamp($2::float8 / 1000))
      ON CONFLICT (name) DO`;
    if (isLate) {
      const added = await query(`${add} NOTHING RETURNING name`, values);
      if (added.length > 0) return undefined;
    }
    const [row] = await query(
      `${add} UPDATE SET tick = EXCLUDED.tick WHERE known.tick < EXCLUDED.tick RETURNING task_id`,
      values,
    );
    return row && { before: (row['task_id'] as string | null) ?? undefined };
  }

  /** The clock of the database, in milliseconds since the epoch. It decides what is due. */
  async now(query: Query): Promise<number> {
    const [row] = await query(`SELECT ${epochMs('clock_timestamp()')} AS now_ms`);
    return row!['now_ms'] as number;
  }

  /** Removes the task of the run before. @returns false when it goes on */
  async remove(query: Query, taskId: string): Promise<boolean> {
    const [row] = await query(
      `WITH found AS (
         SELECT id, ending IS NULL AND expires_at > clock_timestamp() AS open FROM ${this.#tasks}
         WHERE id = $1 FOR UPDATE
       ), removed AS (
         DELETE FROM ${this.#tasks} USING found WHERE ${this.#tasks}.id = found.id AND ending IS NOT NULL
       )
       SELECT open FROM found`,
      [taskId],
    );
    return row?.['open'] !== true;
  }

  async skip(query: Query, schedule: string): Promise<void> {
    await query(`UPDATE ${this.#schedules} SET overlapping = overlapping + 1 WHERE name = $1`, [
      toColumn(schedule),
    ]);
  }

  async begin(query: Query, schedule: string, taskId: string): Promise<void> {
    await query(`UPDATE ${this.#schedules} SET begun = begun + 1, task_id = $2 WHERE name = $1`, [
      toColumn(schedule),
      taskId,
    ]);
  }

  async list(query: Query): Promise<KnownSchedule[]> {
    const rows = await query(
      `SELECT name, ${epochMs('tick')} AS tick_ms, task_id, begun::float8 AS begun, overlapping::float8 AS overlapping
       FROM ${this.#schedules} ORDER BY name`,
    );
    return rows.map((row) => ({
      schedule: row['name'] as string,
      tick: row['tick_ms'] as number,
      taskId: (row['task_id'] as string | null) ?? undefined,
      begun: row['begun'] as number,
      overlapping: row['overlapping'] as number,
    }));
  }
}
