import type { ToolResult } from '../base/content.js';
import { ToolError } from '../base/errors/errors.js';
import type { InputRequired } from '../call/context/rounds.js';
import type { BoundTool } from '../call/operation/operation.js';
import type { NewTask, TaskRecord } from '../ports/task-store.js';
import type { ActiveRequest } from '../requests/active-request.js';
import { BegunTask, type ProtocolHost } from '../requests/engine.js';
import type { JsonObject } from '../wire/json-rpc.js';
import { announceChange } from './announce-change.js';
import type { TaskCarrier } from './task-carrier.js';
import { describeJob, tooManyTasks } from './task-job.js';
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
