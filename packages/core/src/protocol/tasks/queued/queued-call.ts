import type { ToolResult } from '../../../base/content.js';
import { ToolError } from '../../../base/errors/errors.js';
import type { InputRequired } from '../../../call/context/rounds.js';
import type { BoundTool } from '../../../call/operation/operation.js';
import type { Clock } from '../../../ports/clock.js';
import type { Logger } from '../../../ports/logger.js';
import type { TaskQueue } from '../../../ports/task-queue.js';
import type { TaskJob } from '../../../ports/task-runner.js';
import type { NewTask, TaskRecord } from '../../../ports/task-store.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import type { Incoming } from '../../requests/incoming.js';
import { BegunTask } from '../begun-task.js';
import { describeJob } from '../describe-job.js';
import { TaskRequest } from '../task-request.js';
import { shapeOf, workKey } from './work-key.js';
import { tooManyTasks } from '../too-many-tasks.js';

/** What the calls of one server that become queued tasks share. */
export interface QueuedCalls {
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
export class QueuedCall {
  readonly #request: TaskRequest;
  #args: JsonObject = {};
  #begun!: (task: BegunTask) => void;

  constructor(
    private readonly calls: QueuedCalls,
    private readonly incoming: Incoming,
    private readonly tool: BoundTool,
    private readonly task: NewTask,
  ) {
    this.#request = new TaskRequest(incoming.request, {
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
    const { calls, task, tool, incoming } = this;
    const { claims, server, clock, logger } = calls;
    const { input } = this.#request;
    const job: TaskJob = {
      ...describeJob({ taskId: task.id, incoming, tool, args: this.#args, input, claims }),
      shape: shapeOf(tool),
      queuedAt: clock.now(),
    };
    const work = workKey(tool, { server, isScheduled: false });
    try {
      return await calls.queue.enqueue({ ...task, tool: tool.name, work }, JSON.stringify(job));
    } catch (err) {
      logger.error({ err, taskId: task.id, tool: tool.name }, 'A task could not be enqueued');
      throw new ToolError('This server cannot begin tasks right now. Try again later.', {
        code: 'TW_TASKS_DOWN',
        meta: { retryAfterMs: 5_000 },
      });
    }
  }
}
