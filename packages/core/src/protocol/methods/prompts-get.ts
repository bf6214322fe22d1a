import type { Method } from '../engine.js';
import { isJsonObject, type JsonObject } from '../json-rpc.js';
import { invalidParams } from '../protocol-errors.js';
import { unknownName } from '../unknown-name.js';

const NO_ARGUMENTS: JsonObject = Object.freeze({});

export const promptsGet: Method = {
  name: 'prompts/get',
  capability: 'prompts',
  handle(invocation) {
    const { engine, codec, params, request } = invocation;
    const { name, arguments: args = NO_ARGUMENTS } = params;
    if (typeof name !== 'string') throw invalidParams('"name" must be a string.');
    if (!isJsonObject(args)) throw invalidParams('"arguments" must be an object.');
    const wrong = Object.keys(args).find((key) => typeof args[key] !== 'string');
    if (wrong !== undefined) throw invalidParams(`Prompt arguments are strings; "${wrong}" is not.`);
    const { registry } = engine.host;
    const prompt = registry.prompts.get(name);
    if (!prompt || (registry.perCaller && !registry.visible(prompt, request.principal))) {
      const known = registry.prompts.list().filter((each) => registry.visible(each, request.principal));
      throw unknownName(
        'prompt',
        name,
        known.map((each) => each.name),
      );
    }
    const missing = prompt.arguments.find(
      (argument) => argument.required && !Object.hasOwn(args, argument.name),
    );
    if (missing) throw invalidParams(`The prompt "${name}" needs the argument "${missing.name}".`);
    return engine.rounds.run(invocation, {
      operation: prompt,
      args,
      run: () => prompt.run(request, args),
      encode: (result) => codec.promptResult(result),
    });
  },
};
