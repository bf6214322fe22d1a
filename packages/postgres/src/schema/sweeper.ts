import type { Clock } from '@toolwright/core';
import type { PreparedDatabase } from '../connect/prepared-database.js';

const SWEEP_MS = 60_000;
/** How many rows one statement removes, so that none takes long. */
const ROWS_PER_BATCH = 1_000;
/** What is left after so many batches waits for the next time. */
const BATCHES = 20;

/** Removes rows that have expired. Every process does; they step around each other's rows. */
export class Sweeper {
  #stopClock = () => {};
  #isStopped = false;

  constructor(
    private readonly database: PreparedDatabase,
    private readonly schema: string,
    private readonly clock: Clock,
  ) {}

  start(): void {
    if (this.#isStopped) return;
    // The processes of a deployment start together, but need not sweep together.
    const ms = SWEEP_MS * (0.5 + Math.random());
    this.#stopClock = this.clock.after(ms, () => void this.#sweepAll());
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopClock();
  }

  async #sweepAll(): Promise<void> {
    try {
      await this.#sweep('claims', 'key');
      await this.#sweep('events', 'id');
    } catch {
      // Postgres is away, which is told elsewhere. Rows that have expired harm nobody until the next time.
    }
    this.start();
  }

  async #sweep(table: string, key: string): Promise<void> {
    const name = `"${this.schema}".${table}`;
    for (let batch = 0; batch < BATCHES; batch++) {
      const removed = await this.database.query(
        `DELETE FROM ${name} WHERE ${key} IN (
           SELECT ${key} FROM ${name} WHERE expires_at <= clock_timestamp()
           LIMIT ${ROWS_PER_BATCH} FOR UPDATE SKIP LOCKED
         ) RETURNING 1`,
      );
      if (removed.length < ROWS_PER_BATCH || this.#isStopped) return;
    }
  }
}
