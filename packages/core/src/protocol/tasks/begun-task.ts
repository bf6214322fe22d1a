import type { TaskRecord } from '../../ports/task-store.js';
import type { JsonObject } from '../messages/json-rpc.js';
import { describeTask } from './describe-task.js';

/** The outcome of a call that has become a task. Its caller gets this as the answer. */
export class BegunTask {
  readonly description: JsonObject;

  constructor(task: TaskRecord) {
    this.description = describeTask(task);
  }
}
