import type { Clock } from './clock.js';

/** The work of one task. */
export interface TaskJob {
  readonly taskId: string;
  /** Does the work and stores how it ended. Never rejects. */
  execute(): Promise<void>;
  /** The server stops: records that the task failed, and asks the work to end. */
  stop(): Promise<void>;
}

/** Runs tasks in the background of the requests that began them. */
export interface TaskRunner {
  /** Takes a job over; does not wait for it. */
  start(job: TaskJob): void;
  /**
   * Waits for the jobs that run, and stops those that still do after `graceMs`.
   * @returns false when some had to be stopped
   */
  drain(graceMs: number): Promise<boolean>;
}

/** Runs tasks in this process, all at once: the pipeline's limits on concurrency hold for them as for any call. */
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
