import type { BackgroundNoun } from '../base/extended.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import type { StoreHealth, StorePorts } from './server-stores.js';
import type { NewTask, TaskEnding, TaskQuestion, TaskRecord, TaskStore } from './task-store.js';

/** A task whose work a queue hands to some process. */
export interface QueuedTask extends NewTask {
  /** See `NewTask`. */
  readonly tool: string;
  /**
   * What a worker must serve to do the work (`QueueWorker.serves`): a text that ends with a digest of 43 characters.
   * Without it, every worker may be handed the work.
   */
  readonly work?: string;
  /**
   * Who takes turns for the task. Owners with the same text, such as all users of a tenant, have their turns together, and take
   * turns among themselves. Without it, the owner has turns of its own. No owner has such a text.
   */
  readonly party?: string;
}

/** What the process of a worker can do. */
export interface ServedWork {
  /** The kinds of work (`QueuedTask.work`). A kind that ends with ` *` matches all digests. */
  readonly kinds: readonly string[];
  /** All work of the worker's server begins with it. Work of other servers does not concern this one. */
  readonly prefix: string;
  /**
   * For how many milliseconds work waits for a process that serves it. A worker of its server is then handed it as
   * `isUnserved`, to end it.
   */
  readonly unservedMs: number;
}

/** A moment at which something is due again. */
export interface QueueTick {
  /** What is due: the name of the server, and behind a slash that of its method. The ticks of one key are in a row. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /**
   * True when the moment had passed before a process looked. A key that the queue does not know yet has no such runs.
   */
  readonly isLate: boolean;
}

/**
 * `begun`: the task is there. `overlapping`: the run before this one is not over, so the tick is left out. `taken`: this
 * tick, or a later one, was there before. `early`: by the queue's own clock the tick is not due yet, and nothing has
 * changed; ask again when it is.
 */
export type TickOutcome = 'begun' | 'overlapping' | 'taken' | 'early';

/** How one run of a task's work ended. */
export type WorkOutcome =
  /** The task is over. `isDead`: an operator should look at it. */
  | { readonly is: 'ended'; readonly ending: TaskEnding; readonly isDead?: boolean }
  /** The work runs again from its start when all these questions are answered. Meanwhile nothing waits for it. */
  | { readonly is: 'asking'; readonly questions: Readonly<Record<string, TaskQuestion>> }
  /** The work has failed and runs again after a pause. */
  | { readonly is: 'retrying'; readonly afterMs: number; readonly statusMessage: string }
  /**
   * The work did not begin, because this worker has no room for it or cannot read it. It is handed out again
   * after a pause, to any worker. Such a run does not count: the next one has the same `attempt`, and the same
   * `isAfterLoss`.
   */
  | { readonly is: 'postponed'; readonly afterMs: number; readonly statusMessage: string };

/**
 * One run of a task's work, which one worker holds. The core seals the texts (job, steps) before it hands them over:
 * a queue keeps them as they are. A run is lost when its worker has sent no sign of life for a while. Another worker
 * may then have the next run. A lost run changes nothing any more, and neither does a run whose task has ended: their
 * outcomes, notes and steps are dropped.
 */
export interface WorkLease {
  readonly taskId: string;
  /**
   * The task that an operator has begun again as this one, with its job and its steps. They were sealed for that
   * task.
   */
  readonly origin?: string | undefined;
  readonly job: string;
  /** 1 for the first run after the task began or was answered, 2 for the next one, and so on. */
  readonly attempt: number;
  /** True when the run before this one was lost: its process died, or sent no sign of life. */
  readonly isAfterLoss: boolean;
  /**
   * How many runs in a row were lost while no other task ran in their process. After two lost runs of any kind, the
   * next runs of a task get a process of their own. Undefined where the queue does not count.
   */
  readonly lossesAlone?: number | undefined;
  /** No process has served this work for as long as it may wait. The worker ends it with a reason. */
  readonly isUnserved?: boolean | undefined;
  /**
   * The steps (`once`) that earlier runs began: the result of a step; `undefined` when its result was never
   * stored, so that nobody knows whether the step took effect.
   */
  readonly steps: ReadonlyMap<string, string | undefined>;
  /** The client's answers, not checked yet, by key. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Aborted within a second when the task was cancelled or has expired, or when the run is lost. */
  readonly signal: AbortSignal;
  /** Records what the task is doing. @returns false when the run is lost, or the task has ended */
  note(statusMessage: string): MaybePromise<boolean>;
  /**
   * Stores that a step begins. The result that a step with this key already has is dropped.
   *
   * @returns false when the run is lost, or the task has ended: the step must not begin
   */
  beginStep(key: string): MaybePromise<boolean>;
  /** Stores the result of a step that has begun. @returns false when the run is lost, or the task has ended */
  endStep(key: string, result: string): MaybePromise<boolean>;
}

/** Does the work that a queue hands out. */
export interface QueueWorker {
  /** How many runs this process works on at a time. */
  readonly concurrency: number;
  /**
   * What this process can do. It is asked each time before work is handed out, because a server may change while it
   * runs. Without this method, the worker is handed all work.
   */
  serves?(): ServedWork;
  /** Never rejects. After the lease's signal was aborted, the outcome says nothing and is dropped. */
  run(lease: WorkLease): Promise<WorkOutcome>;
  /** The queue calls it when it has stored the outcome of a run of this worker, or has dropped it. */
  changed(taskId: string): void;
}

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

/** The class of the owner of a task. */
export function ownerClassOf(owner: string): OwnerClass {
  if (owner === '') return 'anonymous';
  // The owner of what a package runs is the plural of its noun.
  return owner.startsWith('[') ? 'principal' : (owner.replace(/s$/, '') as BackgroundNoun);
}

/**
 * Keeps tasks and hands out their work, so that it survives its process. Each method is one atomic step: a
 * record and its job change together or not at all.
 *
 * Owners take turns, and so do parties (`QueuedTask.party`): those with few tasks do not wait for all tasks of others.
 *
 * Beyond what `TaskStore` says: `answer` hands the work out again when no question is left, and `end` withdraws
 * the work of the task.
 */
export interface TaskQueue extends TaskStore {
  /**
   * Creates a task with the status `working` and hands out its work. Returns `undefined` when its owner, or the
   * queue, has reached its limit.
   */
  enqueue(task: QueuedTask, job: string): MaybePromise<TaskRecord | undefined>;
  /**
   * Creates a task and hands out its work, at most once for each tick, whichever process asks. The ticks of a key only go
   * forward. The task of the tick before is removed if it has ended. No limit of an owner counts. Without this method,
   * each process runs what is due by itself.
   */
  enqueueTick?(tick: QueueTick, task: QueuedTask, job: string): MaybePromise<TickOutcome>;
  /**
   * The time by the queue's own clock, in milliseconds since the epoch. Ticks go by it, since the clocks of
   * processes differ. Default: each process goes by its own clock.
   */
  now?(): MaybePromise<number>;
  /** Begins to take work. The server calls it at most once, after `open`. */
  work(worker: QueueWorker): MaybePromise<void>;
  /**
   * Takes no more work and waits for what it holds. Runs that are not over after `graceMs` are given back: their
   * signals are aborted, and another worker runs them as after a loss.
   *
   * @returns false when some were given back
   */
  drain(graceMs: number): Promise<boolean>;
  load(): MaybePromise<QueueLoad>;
  /** Connects. The server calls it once, while it boots. @throws {ConfigurationError} as `ServerStores.open` */
  open?(ports: StorePorts): MaybePromise<void>;
  close?(): MaybePromise<void>;
  health?(): readonly StoreHealth[];
}
