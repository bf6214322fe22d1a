import { randomBytes, randomUUID } from 'node:crypto';
import type { DataOwner, TaskAdmin } from '@toolwright/core/ports';
import type { OpenQueue } from '../open-queue.js';
import type { OperatedTask } from './operated-task.js';
import { OperatorRecords, type OwnedTask } from './operator-records.js';

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

  async *ofOwner(owner: DataOwner): AsyncGenerator<OwnedTask> {
    const { query } = this.queue();
    for await (const owners of this.records.owners(query, owner)) yield* this.records.ofOwners(query, owners);
  }

  async erase(owner: DataOwner): Promise<number> {
    const { query, prepared, line, engine } = this.queue();
    let all = 0;
    for await (const owners of this.records.owners(query, owner)) {
      // Many short transactions: workers and callers never wait for the tasks of a whole tenant.
      for (let removed = 1; removed > 0; all += removed) {
        const erased = await prepared.transaction(async (query) => {
          const some = await this.records.erase(query, owners);
          await engine.drop(query, some.jobIds);
          return some;
        });
        for (const jobId of erased.jobIds) line.tellStop(jobId);
        ({ removed } = erased);
      }
      await this.records.forget(query, owners);
    }
    return all;
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
