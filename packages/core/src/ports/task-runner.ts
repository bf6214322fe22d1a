import type {
  ClientDescription,
  Principal,
  RequestContext,
  Revision,
  TraceContext,
} from '../base/request-context.js';
import type { Clock } from './clock-and-ids.js';

/**
 * The work of one task, as data (JSON), so that a runner can keep it outside of the process. It holds no
 * token. Its arguments may contain what is marked sensitive: a runner that stores them must seal them.
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

/** Does the work of tasks. Each server has one. */
export interface TaskWorker {
  /** Does the work and stores how it ended. It never rejects. */
  run(job: TaskJob): Promise<void>;
  /** Records that the task failed because the server stops, and asks the work to end. */
  stop(job: TaskJob): Promise<void>;
}

/** Decides where and when the work of tasks is done, after their requests were answered. */
export interface TaskRunner {
  /** Tells who does the work in this process. The server calls it once, before the first job. */
  serve(worker: TaskWorker): void;
  /** Accepts a job. It does not wait for the job. */
  start(job: TaskJob): void;
  /**
   * Waits for the running jobs. It stops the jobs that still run after `graceMs`.
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
  #worker: TaskWorker | undefined;

  constructor(private readonly clock: Clock) {}

  serve(worker: TaskWorker): void {
    this.#worker = worker;
  }

  start(job: TaskJob): void {
    if (!this.#worker) throw new Error('A task runner needs a worker: call serve() first.');
    this.#running.set(
      job,
      this.#worker.run(job).finally(() => this.#running.delete(job)),
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
    if (!isFinished) await Promise.all([...this.#running.keys()].map((job) => this.#worker!.stop(job)));
    return isFinished;
  }
}
