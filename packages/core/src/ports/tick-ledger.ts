import type { MemoryTaskStore } from './memory-task-store.js';
import type { QueuedTask, ScheduleTick, TickOutcome } from './task-queue.js';

/** The latest tick of each schedule of a `MemoryTaskQueue`, with the task of its run. */
export class TickLedger {
  readonly #latest = new Map<string, { at: number; taskId?: string | undefined }>();

  constructor(private readonly records: MemoryTaskStore) {}

  /** Takes a tick, and creates the task of its run. */
  take({ schedule, at, isLate }: ScheduleTick, task: QueuedTask): TickOutcome {
    const latest = this.#latest.get(schedule);
    if (!latest && isLate) {
      this.#latest.set(schedule, { at });
      return 'taken';
    }
    if (latest && latest.at >= at) return 'taken';
    const before = latest?.taskId === undefined ? undefined : this.records.get(latest.taskId);
    if (before && !before.ending) {
      this.#latest.set(schedule, { at, taskId: before.id });
      return 'overlapping';
    }
    if (before) this.records.remove(before.id);
    this.records.add(task);
    this.#latest.set(schedule, { at, taskId: task.id });
    return 'begun';
  }
}
