import { hash } from 'node:crypto';
import type { TaskAdmin, TaskSummary } from '../ports/task-store.js';
import { callerOfKey } from './server-activity.js';
import type { TaskState } from './server-state.js';

/** How far back an operator reaches: a task is found among so many of the latest. */
export const REACHED_TASKS = 1_000;

/** The latest tasks of all owners. */
export async function latestTasks(admin: TaskAdmin, most: number): Promise<TaskState[]> {
  return [...(await admin.list(most))].map(describe);
}

/** The id of the task with this key. */
export async function findTask(admin: TaskAdmin, key: string): Promise<string | undefined> {
  return (await admin.list(REACHED_TASKS)).find(({ id }) => taskKey(id) === key)?.id;
}

export function taskKey(id: string): string {
  return hash('sha256', id, 'base64url');
}

function describe({ id, owner, ...task }: TaskSummary): TaskState {
  const { tool, status, statusMessage, createdAt, updatedAt, isDead, attempt } = task;
  return {
    key: taskKey(id),
    caller: callerOfKey(owner),
    ...(tool !== undefined && { tool }),
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    updatedAt,
    ...(isDead !== undefined && { isDead }),
    ...(attempt !== undefined && { attempt }),
  };
}
