import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { TaskJob } from '../../ports/task-runner.js';
import type { TaskStore } from '../../ports/task-store.js';
import type { TaskRequest } from './task-request.js';

/** A task that this process runs. */
export interface RunningTask {
  readonly taskId: string;
  readonly job: TaskJob;
  readonly request: TaskRequest;
  /** Does the work and stores how it ended. It never rejects. */
  execute(): Promise<void>;
  /** Records that the task failed because the server stops, and asks the work to end. */
  stop(): Promise<void>;
  /** Reads from the store what others did to the task: answers, or a cancellation. */
  refresh(): Promise<void>;
}

/** What a task shares with the other tasks of its server. */
export interface TaskTable {
  readonly store: TaskStore;
  /** The names of the claims that a job may hold. */
  readonly claims: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  enter(task: RunningTask): void;
  leave(task: RunningTask): void;
  /** Announces that a task has changed. */
  tell(taskId: string): void;
}
