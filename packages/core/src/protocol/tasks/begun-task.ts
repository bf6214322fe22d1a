import type { TaskRecord } from '../../ports/task-store.js';

/** The outcome of a call that has become a task. Its caller gets the task as the answer. */
export class BegunTask {
  constructor(readonly task: TaskRecord) {}
}
