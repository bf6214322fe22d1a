import type { MaybePromise } from '@toolwright/json';
import type { BackgroundNoun } from '../base/extended.js';

/** A question to the client, in the form of the protocol. */
export interface TaskQuestion {
  method: string;
  params: Record<string, unknown>;
}

/** What is known about a task when it begins. */
export interface NewTask {
  /** Nobody can guess it. */
  readonly id: string;
  /** The key of the principal that may see the task; empty for anonymous callers. */
  readonly owner: string;
  /** How many milliseconds the task is kept after its creation; `null`: until the store is emptied. */
  readonly ttlMs: number | null;
  /** How often clients should ask about the task, in milliseconds. */
  readonly pollIntervalMs: number;
  /**
   * The name of the tool; of one with versions that of its version, `find.v2`. Operators see it, and what the tool marks as
   * sensitive is hidden from those who observe messages. A store need not keep it: observers then see no results of tasks
   * on a server whose tasks may have such values.
   */
  readonly tool?: string;
}

/** How a task ended. */
export type TaskEnding =
  /** `result` is the result that the request would have had without the task. */
  | { status: 'completed'; result: Record<string, unknown> }
  | { status: 'failed'; error: { code: number; message: string; data?: Record<string, unknown> } }
  | { status: 'cancelled' };

/** A task at one moment. The object itself never changes. */
export interface TaskRecord extends NewTask {
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The open questions, by key. */
  readonly questions: Readonly<Record<string, TaskQuestion>>;
  /** The client's answers, not checked yet, by key. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Present when `status` is a final one. */
  readonly ending?: TaskEnding;
}

/** One page of an owner's tasks. */
export interface TaskPage {
  readonly tasks: readonly TaskRecord[];
  /** Where the next page begins, in the store's own form. `undefined`: this is the last page. */
  readonly next?: string | undefined;
}

/**
 * Keeps tasks (the Tasks extension). The default keeps them in memory; an adapter shares them between
 * processes. A store that is away rejects with an error whose `code` ends in `_UNAVAILABLE`; clients then hear that
 * they should ask again. Each method is one atomic step. When its promise settles, every process sees the change. Nothing
 * changes a task that has ended.
 */
export interface TaskStore {
  /**
   * Creates a task with the status `working`. Returns `undefined` when its owner, or the store, has reached
   * its limit.
   */
  create(task: NewTask): MaybePromise<TaskRecord | undefined>;
  /** Returns a task; `undefined` when it is unknown or its time has passed. */
  get(id: string): MaybePromise<TaskRecord | undefined>;
  /**
   * Returns tasks of an owner, the oldest first, at most 100 at a time. Without this method, clients cannot list
   * their tasks (`tasks/list` of revision 2025-11-25).
   *
   * @param cursor `next` of the page before; without it, the first page
   * @returns `undefined` when the cursor does not come from this store
   */
  list?(owner: string, cursor?: string): MaybePromise<TaskPage | undefined>;
  /** Records what the task is doing. @returns false when there is no such task, or it has ended */
  note(id: string, statusMessage: string): MaybePromise<boolean>;
  /**
   * Opens a question; the status becomes `input_required`. @returns false when there is no such task, or it
   * has ended
   */
  ask(id: string, key: string, question: TaskQuestion): MaybePromise<boolean>;
  /**
   * Accepts the answers to open questions and ignores all others. The status becomes `working` when no
   * question is left.
   *
   * @returns true when it accepted at least one answer
   */
  answer(id: string, answers: Readonly<Record<string, unknown>>): MaybePromise<boolean>;
  /**
   * Ends the task and drops its open questions. @returns false when there is no such task, or it had already
   * ended
   */
  end(id: string, ending: TaskEnding): MaybePromise<boolean>;
  /**
   * Shows the tasks of all owners to an operator. Without this method, operators do not see them.
   *
   * @param by who looks after them; it is stored with what the operator does, where that is stored
   */
  admin?(by: string): TaskAdmin;
}

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
export interface TaskAdmin {
  /** The newest tasks first, at most `limit` of them. */
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

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** How much work there is, over all processes. */
export interface QueueLoad {
  /** Runs that could begin now. */
  readonly waiting: number;
  /** How long the oldest of them has waited, in milliseconds. 0 when there is none. */
  readonly oldestMs: number;
  /** Runs that workers hold. */
  readonly running: number;
  /** Tasks that ended in a way that an operator should look at (`isDead`). */
  readonly dead: number;
  /** What `waiting` is made of, for queues that know it. */
  readonly depth?: readonly QueueDepth[];
}

/** How many runs of one tool could begin now for one class of owners. */
export interface QueueDepth {
  readonly tool: string;
  readonly ownerClass: OwnerClass;
  readonly waiting: number;
}

/** Who tasks belong to, without naming anybody. */
export type OwnerClass = 'principal' | 'anonymous' | BackgroundNoun;
