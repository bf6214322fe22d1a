import type { CarriedTask, JobLease, QueueTick, TickOutcome } from '@toolwright/core/extend';
import type {
  NewTask,
  QueueLoad,
  StoreHealth,
  StorePorts,
  TaskAdmin,
  TaskEnding,
  TaskPage,
  TaskQuestion,
  TaskRecord,
  TaskStore,
} from '@toolwright/core/ports';
import type { MaybePromise } from '@toolwright/core/transport';

/** A task whose work a queue hands to some process. */
export interface QueuedTask extends CarriedTask {
  /**
   * What a worker must serve to do the work (`QueueWorker.serves`): a text that ends with a digest of 43 characters.
   * Without it, every worker may be handed the work.
   */
  readonly work?: string;
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
 * One run of a task's work, which one worker holds. What is above a queue seals the texts (job, steps) before it hands them over:
 * a queue keeps them as they are. A run is lost when its worker has sent no sign of life for a while. Another worker
 * may then have the next run. A lost run changes nothing any more, and neither does a run whose task has ended: their
 * outcomes, notes and steps are dropped.
 */
export interface WorkLease extends JobLease {
  readonly job: string;
  /** True when the run before this one was lost: its process died, or sent no sign of life. */
  readonly isAfterLoss: boolean;
  /**
   * How many runs in a row were lost while no other task ran in their process. After two lost runs of any kind, the
   * next runs of a task get a process of their own. Undefined where the queue does not count.
   */
  readonly lossesAlone?: number | undefined;
  /** No process has served this work for as long as it may wait. The worker ends it with a reason. */
  readonly isUnserved?: boolean | undefined;
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

/**
 * Keeps tasks and hands out their work, so that it survives its process. Each method is one atomic step: a
 * record and its job change together or not at all.
 *
 * Owners take turns, and so do parties (`QueuedTask.party`): those with few tasks do not wait for all tasks of others.
 *
 * Beyond what `TaskStore` says: `answer` hands the work out again when no question is left, and `end` withdraws
 * the work of the task.
 */
export abstract class QueuePort implements TaskStore {
  abstract create(task: NewTask): MaybePromise<TaskRecord | undefined>;
  abstract get(id: string): MaybePromise<TaskRecord | undefined>;
  list?(owner: string, cursor?: string): MaybePromise<TaskPage | undefined>;
  abstract note(id: string, statusMessage: string): MaybePromise<boolean>;
  abstract ask(id: string, key: string, question: TaskQuestion): MaybePromise<boolean>;
  abstract answer(id: string, answers: Readonly<Record<string, unknown>>): MaybePromise<boolean>;
  abstract end(id: string, ending: TaskEnding): MaybePromise<boolean>;
  admin?(by: string): TaskAdmin;
  /**
   * Creates a task with the status `working` and hands out its work. Returns `undefined` when its owner, or the
   * queue, has reached its limit.
   */
  abstract enqueue(task: QueuedTask, job: string): MaybePromise<TaskRecord | undefined>;
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
  abstract work(worker: QueueWorker): MaybePromise<void>;
  /**
   * Takes no more work and waits for what it holds. Runs that are not over after `graceMs` are given back: their
   * signals are aborted, and another worker runs them as after a loss.
   *
   * @returns false when some were given back
   */
  abstract drain(graceMs: number): Promise<boolean>;
  abstract load(): MaybePromise<QueueLoad>;
  /** Connects. The server calls it once, while it boots. @throws {ConfigurationError} as `ServerStores.open` */
  open?(ports: StorePorts): MaybePromise<void>;
  close?(): MaybePromise<void>;
  health?(): readonly StoreHealth[];
}
