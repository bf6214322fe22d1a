import type { Era } from '../base/request-context.js';
import { type Clock, monotonic } from '../ports/clock-and-ids.js';
import type { Logger } from '../ports/logger.js';
import { JobRequest, runId } from './background-request.js';
import { QueuedInput, type QueuedRunOfJob } from './queued-input.js';

interface Setting {
  readonly era: Era;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The progress token of a task: a task can store progress whether or not its caller sent one. */
const TASK_PROGRESS = 'task';

/** The request of a run on a queue, made from the task's job. */
export class QueuedRequest extends JobRequest {
  readonly progressToken = TASK_PROGRESS;
  readonly isQueued = true;
  readonly input: QueuedInput;
  readonly notes: NoteThrottle;

  constructor(run: Omit<QueuedRunOfJob, 'lost'>, { era, clock, logger }: Setting) {
    const { job, lease, background } = run;
    const { taskId, tool: name } = job;
    const id = background ? runId(name, background.at) : taskId;
    // Nobody gets the log messages of a task. Those of a background method go to the log of the server.
    const logLevel = background && 'debug';
    super({ ...job, id, era, logLevel, ip: job.ip }, background && { ...background, name, logger });
    this.input = new QueuedInput({ ...run, lost: () => this.lose() });
    // A note that cannot be stored is followed by others.
    const write = (text: string) => void (async () => lease.note(text))().then(undefined, () => undefined);
    this.notes = new NoteThrottle(clock, write);
  }

  /** Stops the method, because another run has taken its place. */
  lose(): unknown {
    this.cancel(new DOMException('Another run of this task has taken its place.', 'AbortError'));
    return this.cancellation.reason;
  }

  override notify(method: string, params: Record<string, unknown>): void {
    super.notify(method, params);
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
