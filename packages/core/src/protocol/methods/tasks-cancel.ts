import { authorizeTask } from '../tasks/authorize-task.js';
import type { Method } from '../engine.js';

/** Ends a task. A task that has already ended stays as it is. */
export const tasksCancel: Method = {
  name: 'tasks/cancel',
  calls: { operation: 'task', parameter: 'taskId' },
  async handle(invocation) {
    const { engine, codec } = invocation;
    const { id } = await authorizeTask(invocation, 'tasks/cancel');
    await engine.tasks.cancel(id);
    return codec.result({});
  },
};
