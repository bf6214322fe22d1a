import assert from 'node:assert/strict';
import type { TaskEnding, TaskRecord } from '@toolwright/core/ports';
import type {
  QueuedTask,
  QueueWorker,
  ServedWork,
  TaskQueue,
  WorkLease,
  WorkOutcome,
} from '@toolwright/queue';

/**
 * A task queue under test. It is empty, and nobody works on it. Its limits must allow 30 tasks of one owner, and
 * must not allow a hundred.
 */
export interface TaskQueueSubject {
  queue: TaskQueue;
  /** The same queue, as another process sees it. */
  peer: TaskQueue;
  /**
   * Lets `ms` milliseconds pass for the queue. It moves the queue's clock, or waits where the test cannot set
   * the clock.
   */
  elapse(ms: number): unknown;
  /**
   * Lets the run of a task be lost, as when its process hangs: the queue no longer hears of it. It resolves when
   * another worker may have the next run.
   */
  loseRun(taskId: string): unknown;
  /**
   * Gives the queue a moment to get on with its work. It is called again and again while a test waits. A queue
   * with connections needs some milliseconds.
   */
  pause(): unknown;
  close?(): unknown;
}

export type TaskQueueTests = Record<string, (subject: TaskQueueSubject) => Promise<void>>;

/** Long enough for every test but the one that lets a task expire. */
const ttlMs = 600_000;

export const task = (id: string, rest: Partial<QueuedTask> = {}): QueuedTask => ({
  id,
  owner: 'ann',
  ttlMs,
  pollIntervalMs: 100,
  tool: 'work',
  ...rest,
});

export const done: TaskEnding = {
  status: 'completed',
  result: { content: [{ type: 'text', text: 'done' }] },
};
export const ended: WorkOutcome = { is: 'ended', ending: done };

/** For how long work without a process that serves it waits, in milliseconds. */
export const UNSERVED_MS = 60_000;
/** A kind of work, as servers name it: a digest is at its end. */
export const kind = (name: string) => `server ${name} ${'d'.repeat(43)}`;
export const serves = (...names: string[]): ServedWork => ({
  kinds: names.map((name) => (name.endsWith('*') ? `server ${name}` : kind(name))),
  prefix: 'server ',
  unservedMs: UNSERVED_MS,
});

/** One run, which ends when the test says so. */
export interface ConsumedRun {
  readonly lease: WorkLease;
  end(outcome?: WorkOutcome): void;
}

/** A worker that holds every run until the test ends it. */
export class HoldingWorker implements QueueWorker {
  readonly runs: ConsumedRun[] = [];
  readonly reported: string[] = [];

  constructor(
    /** Lets the queue get on with its work. */
    private readonly pause: () => unknown,
    readonly concurrency = 10,
    /** What it serves; without it, everything. */
    public served?: ServedWork,
  ) {}

  get serves(): (() => ServedWork) | undefined {
    return this.served && (() => this.served!);
  }

  run(lease: WorkLease): Promise<WorkOutcome> {
    return new Promise((resolve) => this.runs.push({ lease, end: (outcome = ended) => resolve(outcome) }));
  }

  changed(taskId: string): void {
    this.reported.push(taskId);
  }

  /** The run number `count`, as soon as it has begun. */
  async take(count = 1): Promise<ConsumedRun> {
    await until(this.pause, `run ${count} begins`, () => this.runs.length >= count);
    return this.runs[count - 1]!;
  }

  /** Ends a run, and waits until the queue has stored how. */
  async finish(run: ConsumedRun, outcome?: WorkOutcome): Promise<void> {
    const { taskId } = run.lease;
    const before = this.#reportedOf(taskId);
    run.end(outcome);
    await until(this.pause, `the end of "${taskId}" is told`, () => this.#reportedOf(taskId) > before);
  }

  #reportedOf(taskId: string): number {
    return this.reported.filter((id) => id === taskId).length;
  }
}

/** As many pauses as an engine may need. */
const PATIENCE = 400;

/** Waits until something is so. */
export async function until(
  pause: () => unknown,
  what: string,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let count = 0; count < PATIENCE; count++) {
    if (await isSo()) return;
    await pause();
  }
  assert.fail(`It never happened that ${what}.`);
}

export async function read(queue: TaskQueue, id = 'a'): Promise<TaskRecord> {
  const found = await queue.get(id);
  assert.ok(found, `There is a task "${id}".`);
  return found;
}

/** One worker, which has the run of the task `a`. */
export async function running({ queue, peer, pause }: TaskQueueSubject, rest: Partial<QueuedTask> = {}) {
  const consumer = new HoldingWorker(pause);
  await peer.work(consumer);
  await queue.enqueue(task('a', rest), 'job of a');
  return { consumer, run: await consumer.take(1) };
}

/** Enough pauses for something to happen that should not. */
export async function quiet({ pause }: TaskQueueSubject): Promise<void> {
  for (let count = 0; count < 5; count++) await pause();
}
