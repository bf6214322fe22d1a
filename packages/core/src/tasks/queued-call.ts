import type { ToolResult } from '@toolwright/ground/base/content';
import { ToolError } from '@toolwright/ground/base/errors/errors';
import type { InputRequired } from '@toolwright/ground/call/context/rounds';
import { Outage, within } from '@toolwright/ground/call/limits/timed-store';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import { monotonic } from '@toolwright/ground/ports/clock-and-ids';
import type { NewTask, TaskRecord, QueueDepth, QueueLoad } from '@toolwright/ground/ports/task-store';
import type { MaybePromise } from '@toolwright/json';
import type { JsonObject } from '@toolwright/wire/json-rpc';
import type { ActiveRequest } from '../requests/active-request.js';
import { BegunTask, type ProtocolHost } from '../requests/engine.js';
import { announceChange, describeJob, tooManyTasks } from './task-call.js';
import type { TaskCarrier } from './task-carrier.js';
import { TaskRequest } from './task-request.js';

/** What the calls of one server that become queued tasks share. */
interface QueuedCalls {
  readonly carrier: Pick<TaskCarrier, 'begin'>;
  /** The names of the claims that a job may hold. */
  readonly claims: readonly string[];
  readonly host: Pick<ProtocolHost, 'bus' | 'logger'>;
}

/**
 * Calls a tool whose call may become a task on a queue. The run in this process then ends there.
 *
 * @returns the result, or the task as soon as the call has become one
 */
export async function callOnQueue(
  { carrier, claims, host }: QueuedCalls,
  caller: ActiveRequest,
  { tool, args, task }: { tool: BoundTool; args: JsonObject; task: NewTask },
): Promise<ToolResult | InputRequired | BegunTask> {
  let hasBegun: (task: BegunTask) => void;
  const begun = new Promise<BegunTask>((resolve) => (hasBegun = resolve));
  const enqueue = async (): Promise<TaskRecord | undefined> => {
    const { input } = request;
    const job = describeJob({ taskId: task.id, request: caller, tool, args, input, claims });
    try {
      return await carrier.begin({ ...task, tool: job.tool }, job, tool);
    } catch (err) {
      host.logger.error({ err, taskId: task.id, tool: tool.name }, 'A task could not be enqueued');
      throw new ToolError('This server cannot begin tasks right now. Try again later.', {
        code: 'TW_TASKS_DOWN',
        meta: { retryAfterMs: 5_000 },
      });
    }
  };
  const request: TaskRequest = new TaskRequest(caller, {
    isQueued: true,
    note: () => undefined,
    async begin() {
      const record = await enqueue();
      if (!record) throw tooManyTasks();
      announceChange(host, task.id);
      hasBegun(new BegunTask(record));
    },
  });
  const outcome = (async () => tool.run(request, args))();
  try {
    return await Promise.race([begun, outcome]);
  } finally {
    request.release();
  }
}

/** For how many milliseconds an answer counts. Probes and collectors of metrics ask often. */
const FRESH_MS = 1_000;
/** How many milliseconds the queue has to answer. A probe that waits longer counts as failed. */
const PATIENCE_MS = 1_000;

/** Reads the load of a queue for monitoring, at most once a second, however many ask. */
export class QueueWatch {
  #reading: Promise<QueueLoad | undefined> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  readonly #outage: Outage;

  /** @param ask asks the queue. One question is for all who ask within a second, so it belongs to none of them */
  constructor(
    private readonly ask: () => MaybePromise<QueueLoad>,
    private readonly host: Pick<ProtocolHost, 'clock' | 'logger' | 'registry'>,
  ) {
    this.#outage = new Outage('task queue', host.logger, 'nobody knows how many tasks wait');
  }

  /** @returns `undefined` while the queue does not answer */
  read(): Promise<QueueLoad | undefined> {
    const now = monotonic(this.host.clock);
    if (this.#reading && now - this.#readAt < FRESH_MS) return this.#reading;
    this.#readAt = now;
    return (this.#reading = this.#read());
  }

  async #read(): Promise<QueueLoad | undefined> {
    const tooLate = () => new Error('The queue did not tell its load within a second.');
    const answer = await this.#outage.ask(() =>
      within(Promise.resolve(this.ask()), { clock: this.host.clock, ms: PATIENCE_MS, tooLate }),
    );
    const load = answer?.value;
    return load?.depth ? { ...load, depth: this.#countVersionsTogether(load.depth) } : load;
  }

  /** A queue knows the exact names of tools, and metrics have one name for all versions. */
  #countVersionsTogether(depth: readonly QueueDepth[]): QueueDepth[] {
    const { tools } = this.host.registry;
    const counted = new Map<string, QueueDepth>();
    for (const each of depth) {
      const tool = tools.get(each.tool)?.versionOf ?? each.tool;
      const key = `${each.ownerClass} ${tool}`;
      const waiting = each.waiting + (counted.get(key)?.waiting ?? 0);
      counted.set(key, { ...each, tool, waiting });
    }
    return [...counted.values()];
  }
}
