import type { CallFailure, Era, RequestContext, TaskStart } from '../base/request-context.js';
import { type Clock, monotonic } from '../ports/clock-and-ids.js';
import type { Logger } from '../ports/logger.js';
import type { TaskJob } from '../ports/task-runner.js';
import { Cancellation } from '../wire/response-channel.js';
import type { RunOfJob } from './background-methods.js';
import { logMessage, runId } from './background-request.js';
import { QueuedInput, type QueuedRunOfJob } from './queued-input.js';

interface Setting {
  readonly era: Era;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The progress token of a task: a task can store progress whether or not its caller sent one. */
const TASK_PROGRESS = 'task';

/** The request of a run on a queue, made from the task's job. Its caller has its answer and is gone. */
export class QueuedRequest implements RequestContext, TaskStart {
  readonly progressToken = TASK_PROGRESS;
  readonly started = true;
  readonly isQueued = true;
  readonly cancellation = new Cancellation();
  readonly input: QueuedInput;
  readonly notes: NoteThrottle;
  readonly era: Era;
  /** Why the run ended, if its method gave no result. */
  failure: CallFailure | undefined;
  trace: TaskJob['trace'];
  readonly #job: TaskJob;
  readonly #background: RunOfJob | undefined;

  constructor(
    run: Omit<QueuedRunOfJob, 'lost'>,
    private readonly setting: Setting,
  ) {
    const { job, lease, background } = run;
    const { era, clock } = setting;
    this.era = era;
    this.#job = job;
    this.#background = background;
    this.trace = job.trace;
    this.input = new QueuedInput({ ...run, lost: () => this.lose() });
    // A note that cannot be stored is followed by others.
    const write = (text: string) => void (async () => lease.note(text))().then(undefined, () => undefined);
    this.notes = new NoteThrottle(clock, write);
  }

  get task(): TaskStart {
    return this;
  }
  get id() {
    const { taskId, tool } = this.#job;
    return this.#background ? runId(tool, this.#background.at) : taskId;
  }
  get revision() {
    return this.#job.revision;
  }
  get principal() {
    return this.#job.principal;
  }
  get unkeptClaims() {
    return this.#job.unkeptClaims;
  }
  get client() {
    return this.#job.client;
  }
  get transport() {
    return this.#job.transport;
  }
  /** Nobody gets the log messages of a task. Those of a background method go to the log of the server. */
  get logLevel() {
    return this.#background && 'debug';
  }
  get ip() {
    return this.#job.ip;
  }
  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  async start(): Promise<void> {
    // It is a task already.
  }

  onStart(): void {
    // It has started before this run.
  }

  failed(failure: CallFailure): void {
    this.failure = failure;
  }

  cancel(reason: unknown): void {
    this.cancellation.abort(reason);
  }

  /** Stops the method, because another run has taken its place. */
  lose(): unknown {
    this.cancel(new DOMException('Another run of this task has taken its place.', 'AbortError'));
    return this.cancellation.reason;
  }

  notify(method: string, params: Record<string, unknown>): void {
    const background = this.#background;
    if (background && method === 'notifications/message')
      logMessage(this.setting.logger, { ...background, name: this.#job.tool }, params);
    if (method !== 'notifications/progress') return;
    const { message, progress, total } = params;
    this.notes.note(String(message ?? `${progress}${total === undefined ? '' : ` of ${total}`}`));
  }
}

/** The least time between two notes of a task. */
const PAUSE_MS = 1_000;

/**
 * Writes at most one note a second. A newer note replaces one that waits: each of them is a write to a database,
 * and clients see only the last one.
 */
class NoteThrottle {
  #readyAt = Number.NEGATIVE_INFINITY;
  #held: string | undefined;
  #cancelTimer: (() => void) | undefined;
  #isOver = false;

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'after'>,
    private readonly write: (note: string) => void,
  ) {}

  note(text: string): void {
    if (this.#isOver) return;
    const wait = this.#readyAt - monotonic(this.clock);
    if (wait <= 0) return this.#write(text);
    this.#held = text;
    this.#cancelTimer ??= this.clock.after(wait, () => this.#writeHeld());
  }

  /** Drops what waits: what follows says more about the task. */
  end(): void {
    this.#isOver = true;
    this.#cancelTimer?.();
    this.#held = undefined;
  }

  /** Writes what waits. */
  flush(): void {
    this.#cancelTimer?.();
    this.#writeHeld();
  }

  #writeHeld(): void {
    this.#cancelTimer = undefined;
    const text = this.#held;
    this.#held = undefined;
    if (text !== undefined) this.#write(text);
  }

  #write(text: string): void {
    this.#readyAt = monotonic(this.clock) + PAUSE_MS;
    this.write(text);
  }
}
