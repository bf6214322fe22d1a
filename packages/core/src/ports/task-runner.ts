import type { Clock } from './clock.js';

/** The work of one task. */
export interface TaskJob {
  readonly taskId: string;
  /** Does the work and stores how it ended. It never rejects. */
  execute(): Promise<void>;
  /** Is called when the server stops. It records that the task failed and asks the work to end. */
  stop(): Promise<void>;
}

/** Runs tasks in the background, after their requests were answered. */
export interface TaskRunner {
  /** Accepts a job. It does not wait for the job. */
  start(job: TaskJob): void;
  /**
   * Waits for the running jobs. It stops those that still run after `graceMs`.
   *
   * @returns false when it had to stop some
   */
  drain(graceMs: number): Promise<boolean>;
}

/**
 * Runs all tasks in this process at the same time. The limits on concurrency apply to tasks as to any other
 * call.
 */
export class ProcessTaskRunner implements TaskRunner {
  readonly #running = new Map<TaskJob, Promise<void>>();

  constructor(private readonly clock: Clock) {}

  start(job: TaskJob): void {
    this.#running.set(
      job,
      job.execute().finally(() => this.#running.delete(job)),
    );
  }

  async drain(graceMs: number): Promise<boolean> {
    if (this.#running.size === 0) return true;
    let cancel: () => void = () => undefined;
    const over = new Promise<false>((resolve) => {
      cancel = this.clock.after(graceMs, () => resolve(false));
    });
    const finished = Promise.all(this.#running.values()).then(() => true);
    const isFinished = await Promise.race([finished, over]);
    cancel();
    if (!isFinished) await Promise.all([...this.#running.keys()].map((job) => job.stop()));
    return isFinished;
  }
}
