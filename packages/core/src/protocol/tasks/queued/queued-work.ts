import type { ToolResult } from '../../../base/content/content.js';
import type { InputRequired } from '../../../call/context/input-required.js';
import type { BoundTool } from '../../../call/operation/operation.js';
import type { QueueLoad, TaskQueue } from '../../../ports/task-queue.js';
import type { NewTask } from '../../../ports/task-store.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import type { Incoming } from '../../requests/incoming.js';
import type { BegunTask } from '../begun-task.js';
import { JobWorker, type WorkerPorts } from './job-worker.js';
import { QueueWatch } from './queue-watch.js';
import { QueuedCall } from './queued-call.js';

interface QueuedWorkPorts extends WorkerPorts {
  readonly claims: readonly string[];
}

/** The tasks of one server on a queue: calls put them there, and this process may work on them. */
export class QueuedWork {
  readonly #watch: QueueWatch;
  #worker: JobWorker | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(
    private readonly queue: TaskQueue,
    private readonly ports: QueuedWorkPorts,
  ) {
    this.#watch = new QueueWatch(() => queue.load(), ports.host);
  }

  call(
    incoming: Incoming,
    { tool, args, task }: { tool: BoundTool; args: JsonObject; task: NewTask },
  ): Promise<ToolResult | InputRequired | BegunTask> {
    const { claims, host, tell } = this.ports;
    const calls = { queue: this.queue, claims, logger: host.logger, tell };
    return new QueuedCall(calls, incoming, tool, task).run(args);
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
