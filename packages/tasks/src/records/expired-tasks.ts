import type { Expiring, PreparedDatabase } from '@toolwright/postgres/database';
import type { JobEngine } from '../engine/job-engine.js';
import type { TaskClaims } from './task-claims.js';
import type { TaskRecords } from './task-records.js';

/** A batch is one transaction, and none takes long. */
const TASKS_PER_BATCH = 500;

/** The parts of a queue that know tasks whose time has passed. */
interface Swept {
  readonly prepared: PreparedDatabase;
  readonly records: TaskRecords;
  readonly claims: TaskClaims;
  readonly engine: JobEngine;
}

/** Tasks whose time has passed, with their jobs. */
export function expiredTasks(queue: Swept): Expiring {
  return {
    perBatch: TASKS_PER_BATCH,
    async remove() {
      const { prepared, records, claims, engine } = queue;
      return prepared.transaction(async (query) => {
        const { removed, jobIds } = await records.sweep(query, TASKS_PER_BATCH);
        await engine.drop(query, jobIds);
        await claims.dropOrphans(query, TASKS_PER_BATCH);
        return removed;
      });
    },
  };
}
