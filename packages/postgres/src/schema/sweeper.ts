import type { Clock } from '@toolwright/core/ports';
import type { PreparedDatabase } from '../connect/prepared-database.js';

const SWEEP_MS = 60_000;
/** Rows that are left after this many batches wait for the next time, which comes soon. */
const BATCHES = 20;
const SOON_MS = 3_000;

/** Rows that expire. */
export interface Expiring {
  /** How many rows one batch removes, so that none takes long. */
  readonly perBatch: number;
  /** Removes one batch. Other processes may do the same: it steps around their rows. @returns how many it removed */
  remove(): Promise<number>;
}

/** Removes what has expired, about once a minute. Every process does. */
export class Sweeper {
  #stopClock = () => {};
  #isStopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly expiring: readonly Expiring[],
  ) {}

  start(everyMs = SWEEP_MS): void {
    if (this.#isStopped) return;
    // The processes of a deployment start together, but need not sweep together.
    const ms = everyMs * (0.5 + Math.random());
    this.#stopClock = this.clock.after(ms, () => void this.#sweepAll());
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopClock();
  }

  async #sweepAll(): Promise<void> {
    let isDone = true;
    try {
      for (const rows of this.expiring) isDone = (await this.#sweep(rows)) && isDone;
    } catch {
      // Postgres is away; another part logs that. Expired rows harm nobody until the next time.
    }
    this.start(isDone ? SWEEP_MS : SOON_MS);
  }

  /** @returns false when rows may be left */
  async #sweep({ perBatch, remove }: Expiring): Promise<boolean> {
    for (let batch = 0; batch < BATCHES && !this.#isStopped; batch++) {
      if ((await remove()) < perBatch) return true;
    }
    return false;
  }
}

const ROWS_PER_BATCH = 1_000;

/** The rows of a table whose time has passed. @param key the columns of its primary key */
export function expiredRows(
  database: PreparedDatabase,
  schema: string,
  table: string,
  key: string,
): Expiring {
  const name = `"${schema}".${table}`;
  return {
    perBatch: ROWS_PER_BATCH,
    async remove() {
      const removed = await database.query(
        `DELETE FROM ${name} WHERE (${key}) IN (
           SELECT ${key} FROM ${name} WHERE expires_at <= clock_timestamp()
           LIMIT ${ROWS_PER_BATCH} FOR UPDATE SKIP LOCKED
         ) RETURNING 1`,
      );
      return removed.length;
    },
  };
}
