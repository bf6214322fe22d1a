import { JsonRpcCode, ProtocolError } from '../../../base/errors/errors.js';
import type { ToolResult } from '../../../base/content.js';
import { InputRequired } from '../../../call/context/rounds.js';
import type { MaybePromise } from '../../../base/maybe-promise.js';
import type { BoundTool } from '../../../call/operation/operation.js';
import type { NewTask } from '../../../ports/task-store.js';
import type { Invocation } from '../../engine.js';
import { isJsonObject, type JsonObject } from '../../messages/json-rpc.js';
import { BegunTask } from '../begun-task.js';
import { tooManyTasks } from '../too-many-tasks.js';

/**
 * Calls a tool for a client that asked for a task (2025-11-25). It gets a task, whatever happens: a call that is
 * refused before its task begins becomes a task that has ended with the refusal.
 *
 * @throws {ProtocolError} -32601 when calls of this tool never become tasks
 */
export function callAsTask(
  invocation: Invocation,
  tool: BoundTool,
  args: JsonObject,
): MaybePromise<ToolResult | InputRequired | BegunTask> {
  const { engine, request } = invocation;
  const { tasks, host } = engine;
  // A server without tasks ignores the wish. A tool that is hidden from the caller is refused as if it did not
  // exist.
  if (!tasks.areOffered || !host.registry.visible(tool, request.principal)) return tool.run(request, args);
  if (!tool.task)
    throw new ProtocolError(
      JsonRpcCode.methodNotFound,
      `The tool "${tool.name}" does not run as a task. Call it without "task".`,
    );
  return begin(invocation, { tool, args, task: wishedTask(invocation) });
}

async function begin(
  invocation: Invocation,
  call: { tool: BoundTool; args: JsonObject; task: NewTask },
): Promise<InputRequired | BegunTask> {
  const { tasks } = invocation.engine;
  const outcome = await tasks.run(invocation, call);
  if (outcome instanceof BegunTask || outcome instanceof InputRequired) return outcome;
  const task = await tasks.ask((store) => store.create(call.task));
  if (!task) throw new ProtocolError(JsonRpcCode.internalError, tooManyTasks().message);
  const result = JSON.parse(invocation.codec.toolResult(outcome, call.tool)) as JsonObject;
  await tasks.ask((store) => store.end(task.id, { status: 'completed', result }));
  return new BegunTask(task);
}

/** The client may ask for a shorter life of its task. */
function wishedTask({ engine, params, request }: Invocation): NewTask {
  const task = engine.tasks.newTask(request.principal);
  const ttl = isJsonObject(params['task']) ? params['task']['ttl'] : undefined;
  if (typeof ttl !== 'number' || !(ttl > 0)) return task;
  return { ...task, ttlMs: Math.min(Math.ceil(ttl), task.ttlMs ?? Number.POSITIVE_INFINITY) };
}
