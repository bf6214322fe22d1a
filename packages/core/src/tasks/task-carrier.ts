import type {
  ClientDescription,
  Principal,
  RequestContext,
  Revision,
  TraceContext,
} from '@toolwright/ground/base/request-context';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import type { BootContext } from '@toolwright/ground/ports/boot-context';
import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import type { EventBus } from '@toolwright/ground/ports/event-bus';
import type { Logger } from '@toolwright/ground/ports/logger';
import type { StoreHealth, StorePorts } from '@toolwright/ground/ports/server-stores';
import type {
  QueueLoad,
  NewTask,
  TaskEnding,
  TaskQuestion,
  TaskRecord,
  TaskStore,
} from '@toolwright/ground/ports/task-store';
import type { MaybePromise } from '@toolwright/json';
import type { TaskSettings } from './task-options.js';

/** A store that also hands out the work of its tasks: a `TaskQueue` of `@toolwright/queue`. */
export interface CarryingStore extends TaskStore {
  /** Whether it also hands out the runs of background methods, each once over all processes. */
  readonly handsOutTicks: boolean;
  open?(ports: StorePorts): MaybePromise<void>;
  close?(): MaybePromise<void>;
  health?(): readonly StoreHealth[];
  /** Is called once, when the server has booted so far that it can do the work. */
  carry(server: TaskServer): TaskCarrier;
}

/** Carries tasks to the processes that do their work. */
export interface TaskCarrier {
  /** The tasks, as clients may read them. */
  readonly store: TaskStore;
  /** True when this process works on tasks. */
  readonly isWorking: boolean;
  /** Present if it also hands out the runs of background methods. `now` is the clock of the queue, if it has one. */
  readonly ticks: TickCarrier | undefined;
  /** Creates a task and hands out its work. Returns `undefined` when there are too many. */
  begin(task: CarriedTask, job: TaskJob, tool: BoundTool): MaybePromise<TaskRecord | undefined>;
  /** Begins to take work, at most once. @param concurrency how many tasks this process works on at a time */
  work(concurrency: number): Promise<void>;
  /** Warns a moment later if this process works on no tasks. */
  warnIfIdle(): void;
  /** Stops the run of a task if the task has ended. It never rejects. */
  refresh(taskId: string): Promise<void>;
  /** Takes no more work, and waits for what runs. @returns false when some of it was given back */
  drain(graceMs: number): Promise<boolean>;
  /** How much work there is. */
  load(): MaybePromise<QueueLoad>;
}

/** Hands out the runs of background methods. */
export interface TickCarrier {
  readonly now?: (() => MaybePromise<number>) | undefined;
  /** @param run what becomes of the tick, if nobody has it */
  begin(
    tick: QueueTick,
    task: CarriedTask,
    run: { readonly job: TaskJob; readonly operation: BoundTool; readonly noun: string },
  ): MaybePromise<TickOutcome>;
}

/** A task whose work is handed out. */
export interface CarriedTask extends NewTask {
  /** See `NewTask`. */
  readonly tool: string;
  /**
   * Who takes turns for the task. Owners with the same text, such as all users of a tenant, have their turns together, and take
   * turns among themselves. Without it, the owner has turns of its own. It never equals an `owner`.
   */
  readonly party?: string;
}

/** A moment at which something is due again. */
export interface QueueTick {
  /** What is due: the name of the server, and behind a slash that of its method. The ticks of one key are in a row. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /**
   * True when the moment had passed before a process looked. The queue does not run a late tick of a key that is new to it.
   */
  readonly isLate: boolean;
}

/**
 * `begun`: the task is there. `overlapping`: the run before this one is not over, so the tick is left out. `taken`: this
 * tick, or a later one, was there before. `early`: by the queue's own clock the tick is not due yet, and nothing has
 * changed; ask again when it is.
 */
export type TickOutcome = 'begun' | 'overlapping' | 'taken' | 'early';

/** A server, as the one sees it that carries its tasks. */
export interface TaskServer {
  readonly host: {
    readonly info: { readonly name: string };
    readonly secrets?: readonly string[] | undefined;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly bus: EventBus;
  };
  /** The context in which the server was created. Runs begin in it, and not in that of the request that has woken them. */
  readonly boot: BootContext;
  readonly settings: Pick<TaskSettings, 'onContractChange' | 'unservedTimeout'>;
  /** Whose operations tasks may be about, with the names that jobs may call them. They change with the services. */
  operations(): readonly ServedOperation[];
  /** The part of a package that a tool belongs to, where its tools depend on the caller (`ExtensionParts.taskParts`). */
  partOf(tool: BoundTool): string | undefined;
  /** The parts that this process has. */
  presentParts(): readonly string[];
  /** Whose task a job belongs to. The record of a task may say otherwise, because others can write it. */
  ownerOf(job: TaskJob): string;
  /**
   * Finds what a job is about. Packages may first have to find out what there is for its caller.
   *
   * @param isUnserved this process is to end the job, whoever could do it
   */
  open(job: TaskJob, lease: JobLease, isUnserved: boolean): Promise<OpenedJob>;
  /** Whether the effects of an operation allow another run after one that got somewhere. */
  mayRepeat(operation: BoundTool): boolean;
  /** Records that nobody does a job. */
  giveUp(job: TaskJob, reason: string, operation: BoundTool | undefined): void;
  /** Announces that a task has changed. */
  changed(taskId: string): void;
}

/** An operation that tasks may be about. */
export interface ServedOperation {
  readonly operation: BoundTool;
  /** `tool`, or the noun of a background method. */
  readonly noun: string;
  readonly names: readonly string[];
}

/** A job, with what this process has for it. */
export interface OpenedJob {
  /** `tool`, or the noun of a background method. */
  readonly noun: string;
  readonly operation: BoundTool | undefined;
  /** If the job has the bare name of a tool with versions: the versions that its caller may see, the oldest first. */
  readonly versions: readonly BoundTool[];
  /** Does the job with one of these operations. Missing if the server does not speak the revision of the job any more. */
  readonly run?: (operation: BoundTool) => Promise<JobOutcome>;
}

/** How one run of a job went. */
export type JobOutcome =
  /** @param isDead an operator should look at the task */
  | { readonly is: 'ended'; readonly ending: TaskEnding; readonly isDead?: boolean }
  /** It ended with questions that the client has not answered yet. */
  | { readonly is: 'asking'; readonly questions: Readonly<Record<string, TaskQuestion>> }
  /** It did not begin, because a limit of the server had no room for it. */
  | { readonly is: 'limited'; readonly afterMs: number }
  /** It failed, and the same job may succeed later. The log has the error under the reference. */
  | { readonly is: 'failed'; readonly ending: TaskEnding; readonly reference: string | undefined };

/** What one run of a job stores while it goes on. */
export interface JobLease {
  readonly taskId: string;
  /**
   * The task that an operator has begun again as this one, with its job and its steps. They were sealed for that
   * task.
   */
  readonly origin?: string | undefined;
  /** 1 for the first run after the task began or was answered, 2 for the next one, and so on. */
  readonly attempt: number;
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

/**
 * The work of one task, as data (JSON), so that a queue can keep it outside of the process. It holds no token. Its
 * arguments may contain what is marked sensitive, so it is sealed before a queue gets it.
 */
export interface TaskJob {
  readonly taskId: string;
  /**
   * The name of the tool; of one with versions that of its version, `find.v2`. Of a package's own runs it is that of the
   * method, and they have a member that says when it was due.
   */
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The caller, with the claims that `tasks.claims` names and no others. */
  readonly principal: Principal | undefined;
  /** The names of the claims that the caller had, and that were not kept. */
  readonly unkeptClaims?: readonly string[];
  /** The SHA-256 of the tool's published contract, for records. */
  readonly contract: string;
  /**
   * The SHA-256 of what decides whether another release can do the work: the input schema without its words, the kind,
   * and what the annotations say of the behaviour. Jobs of earlier releases lack it.
   */
  readonly shape?: string;
  /** When the job was put on a queue, in milliseconds since the epoch. */
  readonly queuedAt?: number;
  readonly revision: Revision;
  readonly client: ClientDescription;
  readonly trace: TraceContext;
  readonly transport: RequestContext['transport'];
  /** The address of the caller, as the transport knew it. */
  readonly ip?: string;
  /** What the client has answered before the call became a task, by key. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** What the call has remembered before it became a task, by key (`once`). */
  readonly memories: Readonly<Record<string, unknown>>;
}
