import { authorizeTask } from '../tasks/authorize-task.js';
import { describeTask } from '../tasks/describe-task.js';
import type { Method } from '../engine.js';

/** How a task is: its result, its error or its open questions included. */
export const tasksGet: Method = {
  name: 'tasks/get',
  async handle(invocation) {
    return invocation.codec.result(describeTask(await authorizeTask(invocation, 'tasks/get')));
  },
};
