import type { ToolResult } from '../base/content.js';
import { ToolError } from '../base/errors/errors.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import type { InputRequired } from '../call/context/rounds.js';
import { Outage, within } from '../call/limits/timed-store.js';
import type { BoundTool } from '../call/operation/operation.js';
import { type Clock, monotonic } from '../ports/clock-and-ids.js';
import type { Logger } from '../ports/logger.js';
import type { QueueDepth, QueueLoad, TaskQueue } from '../ports/task-queue.js';
import type { TaskJob } from '../ports/task-runner.js';
import type { NewTask, TaskRecord } from '../ports/task-store.js';
import type { ActiveRequest } from '../requests/active-request.js';
import { BegunTask } from '../requests/engine.js';
import type { JsonObject } from '../wire/json-rpc.js';
import { JobWorker, type WorkerPorts } from './job-worker.js';
import { describeJob, shapeOf, tooManyTasks, workKey } from './task-job.js';
import { TaskRequest } from './task-request.js';

interface QueuedWorkPorts extends WorkerPorts {
  readonly claims: readonly string[];
}

/** `serveTasks` comes after the boot. */
const IDLE_MS = 1_000;

const IDLE =
  'This process puts tasks on the queue and works on none of them. Start a worker (npx --no toolwright-operate worker, or serveTasks), or set tasks.concurrency to a number of tasks. If other processes work, set it to 0.';

/** The tasks of one server on a queue: calls put them there, and this process may work on them. */
export class QueuedWork {
  readonly #watch: QueueWatch;
  #worker: JobWorker | undefined;
  #stopWarning: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(
    readonly queue: TaskQueue,
    private readonly ports: QueuedWorkPorts,
  ) {
    // One question is for all who ask within a second.
    this.#watch = new QueueWatch(
      ports.boot.bind(async () => {
        const load = await queue.load();
        return load.depth ? { ...load, depth: this.#countVersionsTogether(load.depth) } : load;
      }),
      ports.host,
    );
  }

  call(
    request: ActiveRequest,
    { tool, args, task }: { tool: BoundTool; args: JsonObject; task: NewTask },
  ): Promise<ToolResult | InputRequired | BegunTask> {
    const { claims, host, tell } = this.ports;
    const { clock, logger, info } = host;
    const calls = { queue: this.queue, claims, server: info.name, clock, logger, tell };
    return new QueuedCall(calls, request, tool, task).run(args);
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

  /** A queue knows the exact names of tools, and metrics have one name for all versions. */
  #countVersionsTogether(depth: readonly QueueDepth[]): QueueDepth[] {
    const { tools } = this.ports.host.registry;
    const counted = new Map<string, QueueDepth>();
    for (const each of depth) {
      const tool = tools.get(each.tool)?.versionOf ?? each.tool;
      const key = `${each.ownerClass} ${tool}`;
      const waiting = each.waiting + (counted.get(key)?.waiting ?? 0);
      counted.set(key, { ...each, tool, waiting });
    }
    return [...counted.values()];
  }

  /** How much work there is; `undefined` while the queue does not answer. */
  load(): Promise<QueueLoad | undefined> {
    return this.#watch.read();
  }
}

/** What the calls of one server that become queued tasks share. */
interface QueuedCalls {
  readonly queue: TaskQueue;
  readonly claims: readonly string[];
  /** The name of the server. */
  readonly server: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Announces that a task has changed. */
  tell(taskId: string): void;
}

/** A call of a tool that may become a task on a queue. Its run in this process ends there. */
class QueuedCall {
  readonly #request: TaskRequest;
  #args: JsonObject = {};
  #begun!: (task: BegunTask) => void;

  constructor(
    private readonly calls: QueuedCalls,
    private readonly request: ActiveRequest,
    private readonly tool: BoundTool,
    private readonly task: NewTask,
  ) {
    this.#request = new TaskRequest(request, {
      isQueued: true,
      begin: () => this.#begin(),
      note: () => undefined,
    });
  }

  /** Returns the result, or the task as soon as the call has become one. */
  async run(args: JsonObject): Promise<ToolResult | InputRequired | BegunTask> {
    this.#args = args;
    const begun = new Promise<BegunTask>((resolve) => (this.#begun = resolve));
    const outcome = (async () => this.tool.run(this.#request, args))();
    try {
      return await Promise.race([begun, outcome]);
    } finally {
      this.#request.release();
    }
  }

  async #begin(): Promise<void> {
    const { calls, task } = this;
    const record = await this.#enqueue();
    if (!record) throw tooManyTasks();
    calls.tell(task.id);
    this.#begun(new BegunTask(record));
  }

  async #enqueue(): Promise<TaskRecord | undefined> {
    const { calls, task, tool, request } = this;
    const { claims, server, clock, logger } = calls;
    const { input } = this.#request;
    const job: TaskJob = {
      ...describeJob({ taskId: task.id, request, tool, args: this.#args, input, claims }),
      shape: shapeOf(tool),
      queuedAt: clock.now(),
    };
    const work = workKey(tool, { server, what: 'tool' });
    try {
      return await calls.queue.enqueue({ ...task, tool: job.tool, work }, JSON.stringify(job));
    } catch (err) {
      logger.error({ err, taskId: task.id, tool: tool.name }, 'A task could not be enqueued');
      throw new ToolError('This server cannot begin tasks right now. Try again later.', {
        code: 'TW_TASKS_DOWN',
        meta: { retryAfterMs: 5_000 },
      });
    }
  }
}

/** For how many milliseconds an answer counts. Probes and collectors of metrics ask often. */
const FRESH_MS = 1_000;
/** How many milliseconds the queue has to answer. A probe that waits longer counts as failed. */
const PATIENCE_MS = 1_000;

/** Reads the load of a queue for monitoring, at most once a second, however many ask. */
class QueueWatch {
  #reading: Promise<QueueLoad | undefined> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  readonly #outage: Outage;

  constructor(
    private readonly ask: () => MaybePromise<QueueLoad>,
    private readonly ports: { readonly clock: Clock; readonly logger: Logger },
  ) {
    this.#outage = new Outage('task queue', ports.logger, 'nobody knows how many tasks wait');
  }

  /** @returns `undefined` while the queue does not answer */
  read(): Promise<QueueLoad | undefined> {
    const now = monotonic(this.ports.clock);
    if (this.#reading && now - this.#readAt < FRESH_MS) return this.#reading;
    this.#readAt = now;
    return (this.#reading = this.#read());
  }

  async #read(): Promise<QueueLoad | undefined> {
    const tooLate = () => new Error('The queue did not tell its load within a second.');
    try {
      const asked = Promise.resolve(this.ask());
      const load = await within(asked, { clock: this.ports.clock, ms: PATIENCE_MS, tooLate });
      this.#outage.answered();
      return load;
    } catch (error) {
      this.#outage.failed(error);
      return undefined;
    }
  }
}
