import type { ToolResult } from '../../base/content.js';
import type { ProtocolError } from '../../base/errors/errors.js';
import type { BoundTool } from '../../call/operation/operation.js';
import type { TaskRecord } from '../../ports/task-store.js';
import { callAsTask } from '../../tasks/task-call.js';
import { type JsonObject, isJsonObject } from '../../wire/json-rpc.js';
import { invalidParams, sessionUnverified, unknownName } from '../../wire/protocol-errors.js';
import { describeRequestedTask } from '../../wire/stateful-codec.js';
import { describeTask } from '../../wire/stateless-codec.js';
import type { Invocation, Method } from '../engine.js';
import { listMethod } from '../lists/list-pages.js';
import type { RoundCall } from '../rounds/rounds.js';

const NO_ARGUMENTS: JsonObject = Object.freeze({});

export const toolsList = listMethod<BoundTool>('tools/list', 'tools', {
  key: 'tools',
  catalogue: ({ tools }) => tools,
  describe: (tool, codec) => codec.tool(tool),
});

export const toolsCall: Method = {
  name: 'tools/call',
  calls: { operation: 'tool', parameter: 'name' },
  handle(invocation) {
    const { engine, codec, params, request } = invocation;
    const { name, arguments: args = NO_ARGUMENTS } = params;
    if (typeof name !== 'string') throw invalidParams('"name" must be a string.');
    if (!isJsonObject(args)) throw invalidParams('"arguments" must be an object.');
    const tool = engine.host.registry.tools.get(name);
    if (!tool) throw unknownTool(invocation);
    if (invocation.session?.isUnverified && !tool.annotations.readOnlyHint) throw sessionUnverified(name);
    const call: RoundCall<ToolResult | BegunTask> = {
      operation: tool,
      args,
      run() {
        request.begun = true;
        if (codec.features.requestedTasks && isJsonObject(params['task']))
          return callAsTask(invocation, tool, args);
        return tool.task && codec.era === 'stateless'
          ? engine.tasks.call(invocation, tool, args)
          : tool.run(request, args);
      },
      encode(result) {
        if (result instanceof BegunTask)
          return codec.result(
            codec.era === 'stateless'
              ? { resultType: 'task', ...describeTask(result.task) }
              : { task: describeRequestedTask(result.task) },
          );
        if (result.isError) request.failure = { type: 'tool_error' };
        return codec.toolResult(result, tool);
      },
    };
    const { rounds } = engine;
    return rounds.isLater(invocation)
      ? rounds.resume(invocation, call)
      : rounds.finish(invocation, call, call.run());
  },
  target({ engine, params: { name } }) {
    const tool = typeof name === 'string' ? engine.host.registry.tools.get(name) : undefined;
    return tool && { attribute: 'gen_ai.tool.name', name: tool.name };
  },
  unknown: unknownTool,
};

function unknownTool({ engine, params, request }: Invocation): ProtocolError {
  const { registry } = engine.host;
  const visible = registry.tools.list().filter((tool) => registry.visible(tool, request.principal));
  const names = visible.map(({ name }) => name);
  return unknownName('tool', params['name'] as string, names);
}

/** The outcome of a call that has become a task. Its caller gets the task as the answer. */
export class BegunTask {
  constructor(readonly task: TaskRecord) {}
}
