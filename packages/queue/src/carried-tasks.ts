import type { BoundTool } from '@toolwright/core';
import type { CarriedTask, TaskCarrier, TaskJob, TaskServer, TickCarrier } from '@toolwright/core/extend';
import type { QueueLoad, TaskRecord } from '@toolwright/core/ports';
import { JobWorker } from './job-worker.js';
import type { QueuePort, QueuedTask } from './queue-port.js';
import { SealedTaskQueue } from './sealed-task-queue.js';
import { taskSeals } from './task-seal.js';
import { shapeOf, workKey, workOfPart } from './work-keys.js';

/** `serveTasks` comes after the boot. */
const IDLE_MS = 1_000;

const IDLE =
  'This process puts tasks on the queue and works on none of them. Start a worker (npx --no toolwright-operate worker, or serveTasks), or set tasks.concurrency to a number of tasks. If other processes work, set it to 0.';

/** The tasks of one server on a queue: calls put them there, and this process may work on them. */
export class CarriedTasks implements TaskCarrier {
  readonly store: SealedTaskQueue;
  readonly ticks: TickCarrier | undefined;
  #worker: JobWorker | undefined;
  #stopWarning: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(
    queue: QueuePort,
    private readonly server: TaskServer,
  ) {
    const { host } = server;
    const seals = taskSeals(host.secrets ?? [], host.info.name, host.logger);
    this.store = new SealedTaskQueue(queue, seals, (job) => server.ownerOf(job));
    this.ticks = queue.enqueueTick && {
      now: queue.now && (() => queue.now!()),
      begin: (tick, task, { job, operation, noun }) =>
        this.store.enqueueTick(tick, ...this.#described(task, job, { operation, noun })),
    };
  }

  begin(task: CarriedTask, job: TaskJob, tool: BoundTool): Promise<TaskRecord | undefined> {
    return this.store.enqueue(...this.#described(task, job, { operation: tool, noun: 'tool' }));
  }

  /** A task and the text of its job, with what says who can do it. */
  #described(
    task: CarriedTask,
    job: TaskJob,
    { operation, noun }: { readonly operation: BoundTool; readonly noun: string },
  ): [QueuedTask, string] {
    const { info, clock } = this.server.host;
    const part = this.server.partOf(operation);
    const work =
      part === undefined
        ? workKey({ server: info.name, noun, name: job.tool }, operation)
        : workOfPart(part, info.name);
    const full: TaskJob = { ...job, shape: shapeOf(operation), queuedAt: clock.now() };
    return [{ ...task, work }, JSON.stringify(full)];
  }

  /**
   * Warns a moment after the boot if this process takes tasks and works on none. Somebody who forgot the workers would
   * otherwise only see tasks that never begin.
   */
  warnIfIdle(): void {
    const { clock, logger } = this.server.host;
    this.#stopWarning = clock.after(IDLE_MS, () => {
      if (!this.isWorking) logger.warn({ option: 'tasks.concurrency' }, IDLE);
    });
  }

  get isWorking(): boolean {
    return this.#worker !== undefined;
  }

  async work(concurrency: number): Promise<void> {
    const worker = (this.#worker = new JobWorker(this.server, concurrency));
    // The queue also tells a run that its task has ended, within a second. The bus is faster.
    this.#unsubscribe = this.server.host.bus.subscribe((event) => {
      if (event.type === 'taskChanged') void this.refresh(event.taskId);
      else if (event.type === 'eventsMissed') for (const id of worker.taskIds) void this.refresh(id);
    });
    await this.store.work(worker);
  }

  async refresh(taskId: string): Promise<void> {
    const worker = this.#worker;
    if (!worker?.runs(taskId)) return;
    try {
      const task = await this.store.get(taskId);
      if (!task || task.ending) worker.stop(taskId);
    } catch (err) {
      this.server.host.logger.error({ err, taskId }, 'A task could not be read');
    }
  }

  async drain(graceMs: number): Promise<boolean> {
    this.#stopWarning?.();
    try {
      return await this.store.drain(graceMs);
    } finally {
      this.#unsubscribe?.();
    }
  }

  load(): Promise<QueueLoad> {
    return this.store.load();
  }
}
