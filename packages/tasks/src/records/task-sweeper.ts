import type { Clock } from '@toolwright/core';
import type { PreparedDatabase } from '@toolwright/postgres/database';
import type { JobEngine } from '../engine/job-engine.js';
import type { TaskRecords } from './task-records.js';

const SWEEP_MS = 60_000;
/** A batch is one transaction, and none takes long. */
const TASKS_PER_BATCH = 500;
/** What is left after so many batches waits for the next time. */
const BATCHES = 20;

/** The parts of a queue that know tasks whose time has passed. */
export interface Swept {
  readonly prepared: PreparedDatabase;
  readonly records: TaskRecords;
  readonly engine: JobEngine;
}

/** Removes tasks whose time has passed, with their jobs. Every process does; they step around each other's rows. */
export class TaskSweeper {
  #stopClock = () => {};
  #isStopped = false;

  constructor(
    private readonly queue: Swept,
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
      for (let batch = 0; batch < BATCHES && !this.#isStopped; batch++) {
        if ((await this.#sweep()) < TASKS_PER_BATCH) break;
      }
    } catch {
      // Postgres is away, which is told elsewhere. Nobody sees tasks whose time has passed.
    }
    this.start();
  }

  #sweep(): Promise<number> {
    const { prepared, records, engine } = this.queue;
    return prepared.transaction(async (query) => {
      const { removed, jobIds } = await records.sweep(query, TASKS_PER_BATCH);
      await engine.drop(query, jobIds);
      return removed;
    });
  }
}
