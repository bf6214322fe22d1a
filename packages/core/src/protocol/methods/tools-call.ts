import type { Method } from '../engine.js';
import { isJsonObject, type JsonObject } from '../json-rpc.js';
import { invalidParams } from '../protocol-errors.js';
import { unknownName } from '../unknown-name.js';

const NO_ARGUMENTS: JsonObject = Object.freeze({});

export const toolsCall: Method = {
  name: 'tools/call',
  capability: 'tools',
  handle(invocation) {
    const { engine, codec, params, request } = invocation;
    const { name, arguments: args = NO_ARGUMENTS } = params;
    if (typeof name !== 'string') throw invalidParams('"name" must be a string.');
    if (!isJsonObject(args)) throw invalidParams('"arguments" must be an object.');
    const { registry } = engine.host;
    const tool = registry.tools.get(name);
    // A tool that the caller may not see is as unknown as one that never was.
    if (!tool || (registry.perCaller && !registry.visible(tool, request.principal))) {
      const known = registry.tools.list().filter((each) => registry.visible(each, request.principal));
      throw unknownName(
        'tool',
        name,
        known.map((each) => each.name),
      );
    }
    return engine.rounds.run(invocation, {
      operation: tool,
      args,
      run: () => tool.run(request, args),
      encode: (result) => codec.toolResult(result, tool),
    });
  },
};
