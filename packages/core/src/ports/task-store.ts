export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A question to the client, as it is put on the wire. */
export interface TaskQuestion {
  method: string;
  params: Record<string, unknown>;
}

/** What is known of a task when it begins. */
export interface NewTask {
  /** Unguessable. */
  readonly id: string;
  /** Key of the principal that may see it; empty for anonymous callers. */
  readonly owner: string;
  /** Milliseconds from its creation for which it is kept; null: until the store is emptied. */
  readonly ttlMs: number | null;
  /** How often clients should ask, in milliseconds. */
  readonly pollIntervalMs: number;
}

/** How a task ended. */
export type TaskEnding =
  /** `result` is what the request would have been answered with. */
  | { status: 'completed'; result: Record<string, unknown> }
  | { status: 'failed'; error: { code: number; message: string; data?: Record<string, unknown> } }
  | { status: 'cancelled' };

/** A task as it is at one moment; never changes itself. */
export interface TaskRecord extends NewTask {
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Open questions, by key. */
  readonly questions: Readonly<Record<string, TaskQuestion>>;
  /** What the client answered, unchecked, by key. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** There when `status` is a final one. */
  readonly ending?: TaskEnding;
}

type MaybePromise<T> = T | Promise<T>;

/**
 * Keeps tasks (the Tasks extension). In memory by default; shared between processes by an adapter. Each method is one
 * atomic step, and takes effect for every process before it settles. Nothing changes a task that has ended.
 */
export interface TaskStore {
  /** Begins a task, `working`; undefined when its owner, or the store, has as many as it may. */
  create(task: NewTask): MaybePromise<TaskRecord | undefined>;
  /** Undefined when it is unknown, or its time has passed. */
  get(id: string): MaybePromise<TaskRecord | undefined>;
  /** Says what it is doing. @returns false when there is no such task, or it has ended */
  note(id: string, statusMessage: string): MaybePromise<boolean>;
  /** Opens a question: `input_required`. @returns false when there is no such task, or it has ended */
  ask(id: string, key: string, question: TaskQuestion): MaybePromise<boolean>;
  /**
   * Takes the answers to open questions and leaves all others; `working` when no question is left.
   * @returns true when there was one to take
   */
  answer(id: string, answers: Readonly<Record<string, unknown>>): MaybePromise<boolean>;
  /** Ends it; open questions are dropped. @returns false when there is no such task, or it has ended already */
  end(id: string, ending: TaskEnding): MaybePromise<boolean>;
}
