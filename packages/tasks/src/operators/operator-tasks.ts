import { randomBytes, randomUUID } from 'node:crypto';
import type { TaskAdmin } from '@toolwright/core/ports';
import type { OpenQueue } from '../open-queue.js';
import type { OperatedTask } from './operated-task.js';
import { OperatorRecords } from './operator-records.js';

/**
 * After this many milliseconds without a sign of its worker, the first run of a task is lost. pg-boss allows no
 * smaller number.
 */
const LOST_AFTER_MS = 10_000;

/** What one operator does with tasks. Each change is stored together with who made it, in one transaction. */
export class OperatorTasks implements TaskAdmin {
  readonly records: OperatorRecords;
  readonly #by: string;

  /** @param queue it may be opened later */
  constructor(
    private readonly queue: () => OpenQueue,
    { schema, by }: { schema: string; by: string },
  ) {
    this.records = new OperatorRecords(schema);
    this.#by = by;
  }

  async list(limit: number): Promise<OperatedTask[]> {
    return this.records.list(this.queue().query, { limit });
  }

  async cancel(id: string): Promise<boolean> {
    const { prepared, records, line, engine } = this.queue();
    const ended = await prepared.transaction(async (query) => {
      const before = await records.end(query, id, { status: 'cancelled' });
      if (!before) return undefined;
      if (before.jobId) await engine.drop(query, [before.jobId]);
      await this.records.record(query, id, { by: this.#by, action: 'cancel' });
      return before;
    });
    if (ended?.jobId) line.tellStop(ended.jobId);
    return ended !== undefined;
  }

  async erase(prefix: string): Promise<number> {
    const { prepared, line, engine } = this.queue();
    const { removed, jobIds } = await prepared.transaction(async (query) => {
      const erased = await this.records.erase(query, prefix);
      await engine.drop(query, erased.jobIds);
      return erased;
    });
    for (const jobId of jobIds) line.tellStop(jobId);
    return removed;
  }

  async retry(id: string): Promise<string | undefined> {
    const { prepared, line, engine } = this.queue();
    const next = { id: randomBytes(24).toString('base64url'), jobId: randomUUID() };
    const isBegun = await prepared.transaction(async (query) => {
      if (!(await this.records.begin(query, id, next))) return false;
      await engine.send(query, next.jobId, { taskId: next.id, lostAfter: LOST_AFTER_MS });
      await this.records.record(query, id, { by: this.#by, action: 'retry', newTaskId: next.id });
      return true;
    });
    if (isBegun) line.tellWork();
    return isBegun ? next.id : undefined;
  }
}
