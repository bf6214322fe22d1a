import type { ToolResult } from '@toolwright/ground/base/content';
import type { BoundOperation, BoundTool } from '@toolwright/ground/call/operation/operation';
import type { Observed } from '@toolwright/ground/ports/telemetry';
import { type MaybePromise, after } from '@toolwright/json';
import { type JsonObject, isJsonObject, NOTHING } from '@toolwright/wire/json-rpc';
import { invalidParams, sessionUnverified } from '@toolwright/wire/protocol-errors';
import type { ActiveRequest, MethodHandler, RoundCall } from '../active-request.js';
import { BegunTask } from '../engine.js';
import { mayForward } from '../forwarded-call.js';
import { callOperation, listMethod, unknownAmong } from '../serve.js';

export const toolsList = listMethod<BoundTool>({
  key: 'tools',
  catalogue: ({ tools }) => tools,
  describe: (tool, codec) => codec.tool(tool),
});

export const toolsCall: MethodHandler = {
  find: ({ tools }, { name }, principal) => tools.getFor(name as string, principal),
  handle(request) {
    const { engine, params } = request;
    const { name, arguments: args = NOTHING } = params;
    if (typeof name !== 'string') throw invalidParams('"name" must be a string.');
    if (!isJsonObject(args)) throw invalidParams('"arguments" must be an object.');
    const tool = request.operation as BoundTool | undefined;
    if (!tool) throw unknownAmong('tools', name, request);
    const { forwarded } = request;
    if (!forwarded) return callTool(request, tool, args);
    return after(
      () => mayForward(forwarded, engine.host, request),
      (may) => {
        if (may) {
          request.inexact = request.inexact?.map((each) => ({ ...each, path: each.path.slice(1) }));
          return callTool(request, tool, forwarded.args as JsonObject);
        }
        // Its own chain refuses the call.
        request.operation = forwarded.by;
        return callTool(request, forwarded.by, args);
      },
    );
  },
  target: ({ operation }) => operation && toolTarget(operation),
  unknown: (request) =>
    unknownAmong('tools', request.operation?.name ?? (request.params['name'] as string), request),
};

/** How spans and durations name the tool of a request. All versions of a tool are one. */
export function toolTarget({ name, versionOf = name }: BoundOperation): Observed['target'] {
  return { attribute: 'gen_ai.tool.name', name: versionOf };
}

function callTool(
  request: ActiveRequest,
  tool: BoundTool,
  args: JsonObject,
): MaybePromise<string | undefined> {
  const { engine, codec, params } = request;
  if (request.isUnverified && !tool.annotations.readOnlyHint) throw sessionUnverified(tool.name);
  const call: RoundCall<ToolResult | BegunTask> = {
    operation: tool,
    args,
    run() {
      const { tasks, requestedTasks } = codec.features;
      if (requestedTasks && isJsonObject(params['task'])) return engine.tasks.callAsTask(request, tool, args);
      return tool.task && tasks ? engine.tasks.call(request, tool, args) : tool.run(request, args);
    },
    encode(result) {
      if (result instanceof BegunTask) return codec.taskResult(result.task);
      if (result.isError) request.failure = { type: 'tool_error' };
      return codec.toolResult(result, tool, request.written);
    },
  };
  return callOperation(request, call);
}
