import { authorizeTask } from '../tasks/authorize-task.js';
import { describeTask } from '../tasks/describe-task.js';
import type { Method } from '../engine.js';

/** Returns the state of a task, with its result, its error or its open questions. */
export const tasksGet: Method = {
  name: 'tasks/get',
  calls: { operation: 'task', parameter: 'taskId' },
  async handle(invocation) {
    return invocation.codec.result(describeTask(await authorizeTask(invocation, 'tasks/get')));
  },
};
