import type { TaskRecord } from '@toolwright/core/ports';
import type { Row } from '@toolwright/postgres/database';
import { shownText } from '../records/plain-text.js';
import { RECORD, recordOf } from '../records/task-row.js';

/** A task as an operator sees it. What the server has sealed stays sealed. */
export interface OperatedTask extends TaskRecord {
  /** It ended in a way that an operator should look at. */
  readonly isDead: boolean;
  /** A worker has begun with it, and how that ended is not stored. */
  readonly isRunning: boolean;
  /** How many runs there were, since the task began or was answered. */
  readonly attempt: number;
  /** The process that had the last run. */
  readonly worker: string | undefined;
  /** The task that an operator has begun again as this one. */
  readonly origin: string | undefined;
}

/** What an operator has done. */
export interface TaskAction {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by: string;
  readonly action: 'cancel' | 'retry';
  readonly taskId: string;
  readonly owner: string;
  readonly tool: string | undefined;
  /** The task that was begun. */
  readonly newTaskId: string | undefined;
}

export const OPERATED = `${RECORD}, dead, unsettled, attempt, worker, origin`;

const optional = (column: unknown) => (column === null ? undefined : shownText(column));

export function operatedTask(row: Row): OperatedTask {
  return {
    ...recordOf(row),
    isDead: row['dead'] as boolean,
    isRunning: row['unsettled'] as boolean,
    attempt: row['attempt'] as number,
    worker: (row['worker'] as string | null) ?? undefined,
    origin: (row['origin'] as string | null) ?? undefined,
  };
}

export function taskAction(row: Row): TaskAction {
  return {
    at: row['at_ms'] as number,
    by: shownText(row['by']),
    action: row['action'] as TaskAction['action'],
    taskId: row['task_id'] as string,
    owner: shownText(row['owner']),
    tool: optional(row['tool']),
    newTaskId: (row['new_task_id'] as string | null) ?? undefined,
  };
}
