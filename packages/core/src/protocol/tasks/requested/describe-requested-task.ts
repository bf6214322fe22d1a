import type { TaskRecord } from '../../../ports/task-store.js';
import type { JsonObject } from '../../messages/json-rpc.js';

/** A task as clients of 2025-11-25 see it: without its questions and its result, which `tasks/result` brings. */
export function describeRequestedTask(task: TaskRecord): JsonObject {
  const { id, status, createdAt, updatedAt, ttlMs, pollIntervalMs, ending } = task;
  const hasFailed = ending?.status === 'completed' && ending.result['isError'] === true;
  const statusMessage = ending?.status === 'failed' ? ending.error.message : task.statusMessage;
  return {
    taskId: id,
    // A result for the model that tells an error counts as a failure there (Task Status).
    status: hasFailed ? 'failed' : status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttl: ttlMs,
    pollInterval: pollIntervalMs,
  };
}
