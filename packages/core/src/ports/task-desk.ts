import type { MaybePromise } from '../base/maybe-promise.js';
import type { TaskStatus } from './task-status.js';

/** A task as operators see it: without questions, answers and results. */
export interface TaskSummary {
  readonly id: string;
  /** The key of the principal that may see the task; empty for anonymous callers. */
  readonly owner: string;
  /** The name of the tool, if the store knows it. */
  readonly tool?: string | undefined;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** It ended in a way that an operator should look at. */
  readonly isDead?: boolean;
  /** How many runs there were, since the task began or was answered. */
  readonly attempt?: number;
}

/** The tasks of all owners, for one operator. A store that records what operators do records it with the change. */
export interface TaskDesk {
  /** The latest first, at most so many. */
  list(limit: number): MaybePromise<readonly TaskSummary[]>;
  /**
   * Cancels a task and stops its run. Without this method, the task is ended as its owner would end it.
   *
   * @returns false when there is no such task, or it has ended
   */
  cancel?(id: string): MaybePromise<boolean>;
  /**
   * Begins the work of an ended task again, as a new task. Without this method, no task can be begun again.
   *
   * @returns the id of the new task; `undefined` when there is no such task, it has not ended, or its work is gone
   */
  retry?(id: string): MaybePromise<string | undefined>;
}
