import type { JsonObject } from '../messages/json-rpc.js';
import type { TaskRecord } from '../../ports/task-store.js';

/** A task as clients see it: `DetailedTask` of the extension, flat. */
export function describeTask(task: TaskRecord): JsonObject {
  const { id, status, statusMessage, createdAt, updatedAt, ttlMs, pollIntervalMs, questions, ending } = task;
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    pollIntervalMs,
    ...(status === 'input_required' && { inputRequests: questions }),
    ...(ending?.status === 'completed' && { result: ending.result }),
    ...(ending?.status === 'failed' && { error: ending.error }),
  };
}
