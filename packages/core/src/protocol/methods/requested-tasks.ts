import { JsonRpcCode, ProtocolError } from '../../base/errors/errors.js';
import type { Method } from '../engine.js';
import { invalidCursor } from '../lists/cursor.js';
import { metaKeys } from '../messages/meta-keys.js';
import { invalidParams, methodNotFound } from '../messages/protocol-errors.js';
import { principalKey } from '../sessions/principal-key.js';
import { authorizeTask } from '../tasks/authorize-task.js';
import { describeRequestedTask } from '../tasks/requested/describe-requested-task.js';
import { waitForEnd } from '../tasks/requested/wait-for-end.js';

const calls = { operation: 'task', parameter: 'taskId' } as const;

const get: Method = {
  name: 'tasks/get',
  calls,
  async handle(invocation) {
    return invocation.codec.result(describeRequestedTask(await authorizeTask(invocation, 'tasks/get')));
  },
};

const cancel: Method = {
  name: 'tasks/cancel',
  calls,
  async handle(invocation) {
    const { engine, codec, request } = invocation;
    const { tasks } = engine;
    const { id, ending } = await authorizeTask(invocation, 'tasks/cancel');
    if (!ending) await tasks.cancel(id);
    const task = await tasks.find(id, request.principal);
    if (ending || task?.status !== 'cancelled') throw invalidParams('The task has already ended.');
    return codec.result(describeRequestedTask(task));
  },
};

const list: Method = {
  name: 'tasks/list',
  calls: { operation: 'task' },
  async handle({ engine, codec, params, request }) {
    const { tasks } = engine;
    const { store } = tasks;
    // All anonymous callers are one owner: a list would show everybody the ids of all.
    const isOffered = codec.features.requestedTasks && tasks.areOffered && request.principal && store.list;
    if (!isOffered) throw methodNotFound('tasks/list');
    const { cursor } = params;
    if (cursor !== undefined && typeof cursor !== 'string') throw invalidCursor();
    const owner = principalKey(request.principal);
    const page = await tasks.ask(() => store.list!(owner, cursor));
    if (!page) throw invalidCursor();
    const { next } = page;
    return codec.result({
      tasks: page.tasks.map(describeRequestedTask),
      ...(next !== undefined && { nextCursor: next }),
    });
  },
};

/** Waits for the end of a task, and returns what its call would have returned. */
const result: Method = {
  name: 'tasks/result',
  calls,
  async handle(invocation) {
    const { id } = await authorizeTask(invocation, 'tasks/result');
    const { ending } = await waitForEnd(invocation, id);
    if (ending?.status === 'completed') {
      const meta = { ...(ending.result['_meta'] as object), [metaKeys.relatedTask]: { taskId: id } };
      return invocation.codec.result({ ...ending.result, _meta: meta });
    }
    if (ending?.status === 'failed') {
      const { code, message, data } = ending.error;
      throw new ProtocolError(code, message, data);
    }
    throw new ProtocolError(JsonRpcCode.internalError, 'The task was cancelled.');
  },
};

/** The tasks of revision 2025-11-25, which clients ask for. */
export const requestedTaskMethods: readonly Method[] = [get, cancel, list, result];
