import { JsonRpcCode, type BoundTool } from '@toolwright/core';
import type { TaskJob, TaskServer } from '@toolwright/core/extend';
import type { QueueWorker, ServedWork, WorkLease, WorkOutcome } from './queue-port.js';
import { type RunFailure, lossFailure, outcomeOfRun, unservedFailure } from './run-decisions.js';
import { fitsJob, workKey, workOfAnyShape, workOfPart, workPrefix } from './work-keys.js';

/** Runs the jobs that a queue hands to this process. */
export class JobWorker implements QueueWorker {
  readonly #runs = new Set<{ readonly taskId: string; readonly stop: AbortController }>();

  constructor(
    private readonly server: TaskServer,
    readonly concurrency: number,
  ) {}

  run(lease: WorkLease): Promise<WorkOutcome> {
    return this.server.boot.run(() => this.#begin(lease));
  }

  async #begin(lease: WorkLease): Promise<WorkOutcome> {
    const { taskId } = lease;
    const run = { taskId, stop: new AbortController() };
    this.#runs.add(run);
    try {
      // An operator may have begun a task again, as another one.
      const job: TaskJob = { ...(JSON.parse(lease.job) as TaskJob), taskId };
      const signal = AbortSignal.any([lease.signal, run.stop.signal]);
      return await this.#do(job, { ...lease, signal });
    } catch (err) {
      this.server.host.logger.error({ err, taskId }, 'A run of a task could not begin');
      return failed('The task could not be run by this server.', { reason: 'not_runnable' });
    } finally {
      this.#runs.delete(run);
    }
  }

  serves(): ServedWork {
    const { host, settings } = this.server;
    const { onContractChange, unservedTimeout: unservedMs } = settings;
    const server = host.info.name;
    const keyOf = onContractChange === 'run' ? workOfAnyShape : workKey;
    const kinds = this.server
      .operations()
      .flatMap(({ operation, noun, names }) => names.map((name) => keyOf({ server, noun, name }, operation)));
    const parts = this.server.presentParts().map((part) => workOfPart(part, server));
    return { kinds: [...new Set([...kinds, ...parts])], prefix: workPrefix(server), unservedMs };
  }

  changed(taskId: string): void {
    this.server.boot.run(() => this.server.changed(taskId));
  }

  /** Stops the runs of a task that has ended. */
  stop(taskId: string): void {
    for (const run of this.#runs)
      if (run.taskId === taskId) run.stop.abort(new DOMException('The task was cancelled.', 'AbortError'));
  }

  runs(taskId: string): boolean {
    return [...this.#runs].some((run) => run.taskId === taskId);
  }

  get taskIds(): ReadonlySet<string> {
    return new Set([...this.#runs].map(({ taskId }) => taskId));
  }

  async #do(job: TaskJob, lease: WorkLease): Promise<WorkOutcome> {
    const { server } = this;
    const { noun, operation, versions, run } = await server.open(job, lease, lease.isUnserved === true);
    const tool = versionFor(job, versions) ?? operation;
    if (!tool || !run || !this.#canDo(tool, job)) return this.#unserved(job, lease, { noun, tool });
    const failure = lossFailure(tool, lease, server.mayRepeat(tool));
    if (failure) return this.#giveUp(job, failure, tool);
    return outcomeOfRun(await run(tool), tool, lease);
  }

  #canDo(tool: BoundTool, job: TaskJob): boolean {
    return this.server.settings.onContractChange === 'run' || fitsJob(tool, job);
  }

  /**
   * The queue says when no process has served a task for too long. A queue that does not know what workers serve
   * hands a task to any worker. This worker gives it back, so that a process with the tool may get it, until its time
   * is over.
   */
  #unserved(
    job: TaskJob,
    lease: WorkLease,
    { noun, tool }: { readonly noun: string; readonly tool: BoundTool | undefined },
  ): WorkOutcome {
    const { host, settings } = this.server;
    const { unservedTimeout: unservedMs } = settings;
    const isOver = job.queuedAt === undefined || host.clock.now() - job.queuedAt >= unservedMs;
    if (lease.isUnserved || isOver)
      return this.#giveUp(job, unservedFailure(tool, job, { unservedMs, noun }), tool);
    return {
      is: 'postponed',
      afterMs: Math.min(UNKNOWN_MS, unservedMs),
      statusMessage: `Waiting for a process that has "${job.tool}" as it was when the task began.`,
    };
  }

  /** Ends a task that nobody can run. Its call has an intent in the audit log, so it gets an outcome, too. */
  #giveUp(job: TaskJob, { reason, message }: RunFailure, tool: BoundTool | undefined): WorkOutcome {
    this.server.giveUp(job, reason, tool);
    return failed(message, { reason });
  }
}

/**
 * The version that a job of a bare name means. It has the contract that the caller knew; or it is the oldest one that can
 * do the work, because newer ones may have come after the job.
 */
function versionFor(job: TaskJob, versions: readonly BoundTool[]): BoundTool | undefined {
  return (
    versions.find(({ contract }) => contract === job.contract) ?? versions.find((tool) => fitsJob(tool, job))
  );
}

/** After how many milliseconds a run is handed out again that its worker does not know. */
const UNKNOWN_MS = 5_000;

function failed(message: string, data: Record<string, unknown>): WorkOutcome {
  const error = { code: JsonRpcCode.internalError, message, data };
  return { is: 'ended', ending: { status: 'failed', error }, isDead: true };
}
