import { readDigits } from '@toolwright/json';
import { after, type MaybePromise } from '../base/maybe-promise.js';
import { JsonRpcCode, ProtocolError } from '../base/errors/errors.js';
import type { Principal } from '../base/request-context.js';
import { InputRequired } from '../call/context/rounds.js';
import { exactName } from '../call/operation/versions.js';
import type { BoundTool } from '../call/operation/operation.js';
import type { NewTask, TaskStore } from '../ports/task-store.js';
import type { ActiveRequest } from '../requests/active-request.js';
import { BegunTask, type TaskOutcome } from '../requests/engine.js';
import { isJsonObject, type JsonObject } from '../wire/json-rpc.js';
import { tooManyTasks } from './task-job.js';

/** What such a call needs of the tasks of its server. */
interface TaskStart {
  readonly areOffered: boolean;
  newTask(principal: Principal | undefined): NewTask;
  run(
    request: ActiveRequest,
    call: { tool: BoundTool; args: JsonObject; task: NewTask },
  ): MaybePromise<TaskOutcome>;
  ask<T>(ask: (store: TaskStore) => MaybePromise<T>): Promise<T>;
}

/**
 * Calls a tool for a client that asked for a task (2025-11-25). It gets a task, whatever happens: a call that is
 * refused before its task begins becomes a task that has ended with the refusal.
 *
 * @throws {ProtocolError} -32601 when calls of this tool never become tasks
 */
export function callAsTask(
  tasks: TaskStart,
  request: ActiveRequest,
  call: { tool: BoundTool; args: JsonObject },
): MaybePromise<TaskOutcome> {
  const { additions } = request.engine.host;
  return after(
    () => additions.prepareUse(call.tool, request),
    () => callIfVisible(tasks, request, call),
  );
}

function callIfVisible(
  tasks: TaskStart,
  request: ActiveRequest,
  { tool, args }: { tool: BoundTool; args: JsonObject },
): MaybePromise<TaskOutcome> {
  // A server without tasks answers the call at once, although the client asked for a task. A tool that is hidden from the
  // caller is refused as if it did not exist.
  if (!tasks.areOffered || !request.engine.host.registry.visible(tool, request.principal))
    return tool.run(request, args);
  if (!tool.task)
    throw new ProtocolError(
      JsonRpcCode.methodNotFound,
      `The tool "${tool.name}" does not run as a task. Call it without "task".`,
    );
  return begin(tasks, request, { tool, args, task: wishedTask(tasks, request) });
}

async function begin(
  tasks: TaskStart,
  request: ActiveRequest,
  call: { tool: BoundTool; args: JsonObject; task: NewTask },
): Promise<InputRequired | BegunTask> {
  const outcome = await tasks.run(request, call);
  if (outcome instanceof BegunTask || outcome instanceof InputRequired) return outcome;
  const tool = exactName(call.tool);
  const task = await tasks.ask((store) => store.create({ ...call.task, tool }));
  if (!task) throw new ProtocolError(JsonRpcCode.internalError, tooManyTasks().message);
  const result = readDigits(request.codec.toolResult(outcome, call.tool)) as JsonObject;
  await tasks.ask((store) => store.end(task.id, { status: 'completed', result }));
  return new BegunTask(task);
}

/** The client may ask for a shorter life of its task. */
function wishedTask(tasks: TaskStart, { params, principal }: ActiveRequest): NewTask {
  const task = tasks.newTask(principal);
  const ttl = isJsonObject(params['task']) ? params['task']['ttl'] : undefined;
  if (typeof ttl !== 'number' || !(ttl > 0)) return task;
  return { ...task, ttlMs: Math.min(Math.ceil(ttl), task.ttlMs ?? Number.POSITIVE_INFINITY) };
}
