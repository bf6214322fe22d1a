import { authorizeTask } from '../tasks/authorize-task.js';
import type { Method } from '../engine.js';
import { isJsonObject } from '../messages/json-rpc.js';
import { invalidParams } from '../messages/protocol-errors.js';

/** Answers questions of a task. An answer without a question is ignored. */
export const tasksUpdate: Method = {
  name: 'tasks/update',
  calls: { operation: 'task', parameter: 'taskId' },
  async handle(invocation) {
    const { engine, codec, params } = invocation;
    const { id } = await authorizeTask(invocation, 'tasks/update');
    const { inputResponses } = params;
    if (!isJsonObject(inputResponses)) throw invalidParams('"inputResponses" must be an object.');
    await engine.tasks.answer(id, inputResponses);
    return codec.result({});
  },
};
