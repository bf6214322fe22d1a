import type { TaskRecord } from '../../ports/task-store.js';
import type { Invocation } from '../engine.js';
import { invalidParams, methodNotFound } from '../messages/protocol-errors.js';
import { requireTaskClient } from './tasks.js';

/**
 * The task that a request names. A task of another caller is treated like one that never existed.
 *
 * @throws {ProtocolError} -32021 for clients without the extension, -32602 for tasks that are unknown or
 *   expired
 */
export async function authorizeTask(
  { engine, params, request, codec }: Invocation,
  method: string,
): Promise<TaskRecord> {
  const { tasks, requestedTasks } = codec.features;
  if (!engine.tasks.areOffered || !(tasks || requestedTasks)) throw methodNotFound(method);
  if (tasks) requireTaskClient(request.client);
  const { taskId } = params;
  if (typeof taskId !== 'string') throw invalidParams('"taskId" must be a string.');
  const task = await engine.tasks.find(taskId, request.principal);
  if (task) return task;
  const isForeign = await engine.tasks.isForeign(taskId, request.principal);
  if (isForeign) request.refusal = { reason: 'TW_TASK_UNKNOWN', detail: 'foreign' };
  throw invalidParams('There is no such task. It may have expired.');
}
