import type { ToolResult } from '../../../base/content.js';
import type { InputRequired } from '../../../call/context/rounds.js';
import type { BoundTool } from '../../../call/operation/operation.js';
import type { QueueLoad, TaskQueue } from '../../../ports/task-queue.js';
import type { NewTask } from '../../../ports/task-store.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import type { Incoming } from '../../requests/incoming.js';
import type { BegunTask } from '../begun-task.js';
import { JobWorker, type WorkerPorts } from './job-worker.js';
import { QueueWatch } from './queue-watch.js';
import { QueuedSchedules } from './queued-schedules.js';
import { QueuedCall } from './queued-call.js';

interface QueuedWorkPorts extends WorkerPorts {
  readonly claims: readonly string[];
  /** How often those who wait for a task should ask, in milliseconds. */
  readonly pollIntervalMs: number;
}

/** `serveTasks` comes after the boot. */
const IDLE_MS = 1_000;

const IDLE =
  'This process puts tasks on the queue and works on none of them. Start a worker (npx toolwright worker, or serveTasks), or set tasks.concurrency to a number of tasks. If other processes work, set it to 0.';

/** The tasks of one server on a queue: calls put them there, and this process may work on them. */
export class QueuedWork {
  /** Puts the runs of schedules on the queue. */
  readonly schedules: QueuedSchedules;
  readonly #watch: QueueWatch;
  #worker: JobWorker | undefined;
  #stopWarning: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(
    private readonly queue: TaskQueue,
    private readonly ports: QueuedWorkPorts,
  ) {
    this.schedules = new QueuedSchedules(queue, ports.host, ports.pollIntervalMs);
    // One question is for all who ask within a second.
    this.#watch = new QueueWatch(
      ports.boot.bind(() => queue.load()),
      ports.host,
    );
  }

  call(
    incoming: Incoming,
    { tool, args, task }: { tool: BoundTool; args: JsonObject; task: NewTask },
  ): Promise<ToolResult | InputRequired | BegunTask> {
    const { claims, host, tell } = this.ports;
    const { clock, logger, info } = host;
    const calls = { queue: this.queue, claims, server: info.name, clock, logger, tell };
    return new QueuedCall(calls, incoming, tool, task).run(args);
  }

  /**
   * Warns a moment after the boot if this process takes tasks and works on none. Somebody who forgot the workers would
   * otherwise only see tasks that never begin.
   */
  warnIfIdle(): void {
    const { clock, logger } = this.ports.host;
    this.#stopWarning = clock.after(IDLE_MS, () => {
      if (!this.isWorking) logger.warn({ option: 'tasks.concurrency' }, IDLE);
    });
  }

  /** True when this process works on the queue. */
  get isWorking(): boolean {
    return this.#worker !== undefined;
  }

  async work(concurrency: number): Promise<void> {
    const worker = (this.#worker = new JobWorker(this.ports, concurrency));
    // The queue also tells a run that its task has ended, within a second. The bus is faster.
    this.#unsubscribe = this.ports.host.bus.subscribe((event) => {
      if (event.type === 'taskChanged') void this.refresh(event.taskId);
      else if (event.type === 'eventsMissed') for (const id of worker.taskIds) void this.refresh(id);
    });
    await this.queue.work(worker);
  }

  /** Reads whether a task that this process runs has ended. */
  async refresh(taskId: string): Promise<void> {
    const worker = this.#worker;
    if (!worker?.runs(taskId)) return;
    try {
      const task = await this.queue.get(taskId);
      if (!task || task.ending) worker.stop(taskId);
    } catch (err) {
      this.ports.host.logger.error({ err, taskId }, 'A task could not be read');
    }
  }

  async drain(graceMs: number): Promise<boolean> {
    this.#stopWarning?.();
    try {
      return await this.queue.drain(graceMs);
    } finally {
      this.#unsubscribe?.();
    }
  }

  /** How much work there is; `undefined` while the queue does not answer. */
  load(): Promise<QueueLoad | undefined> {
    return this.#watch.read();
  }
}
