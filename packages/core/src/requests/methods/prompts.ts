import type { ProtocolError } from '../../base/errors/errors.js';
import type { PromptResult } from '../../base/content.js';
import type { BoundPrompt } from '../../call/operation/operation.js';
import { describePrompt } from '../../wire/definitions.js';
import { listMethod } from '../lists/list-pages.js';
import type { RoundCall } from '../rounds/rounds.js';
import type { Invocation, Method } from '../engine.js';
import { isJsonObject, type JsonObject } from '../../wire/json-rpc.js';
import { invalidParams, unknownName } from '../../wire/protocol-errors.js';

const NO_ARGUMENTS: JsonObject = Object.freeze({});

export const promptsList = listMethod<BoundPrompt>('prompts/list', 'prompts', {
  key: 'prompts',
  catalogue: ({ prompts }) => prompts,
  describe: (prompt, { features }) => describePrompt(prompt, features),
});

export const promptsGet: Method = {
  name: 'prompts/get',
  calls: { operation: 'prompt', parameter: 'name' },
  capability: 'prompts',
  handle(invocation) {
    const { engine, codec, params, request } = invocation;
    const { name, arguments: args = NO_ARGUMENTS } = params;
    if (typeof name !== 'string') throw invalidParams('"name" must be a string.');
    if (!isJsonObject(args)) throw invalidParams('"arguments" must be an object.');
    const wrong = Object.keys(args).find((key) => typeof args[key] !== 'string');
    if (wrong !== undefined) throw invalidParams(`Prompt arguments are strings; "${wrong}" is not.`);
    const prompt = engine.host.registry.prompts.get(name);
    if (!prompt) throw unknownPrompt(invocation);
    // A caller must not recognise a hidden prompt by its arguments.
    const isVisible = engine.host.registry.visible(prompt, request.principal);
    const missing =
      isVisible &&
      prompt.arguments.find((argument) => argument.required && !Object.hasOwn(args, argument.name));
    if (missing) throw invalidParams(`The prompt "${name}" needs the argument "${missing.name}".`);
    const call: RoundCall<PromptResult> = {
      operation: prompt,
      args,
      run() {
        request.begun = true;
        return prompt.run(request, args);
      },
      encode: (result) => codec.promptResult(result),
    };
    const { rounds } = engine;
    return rounds.isLater(invocation)
      ? rounds.resume(invocation, call)
      : rounds.finish(invocation, call, call.run());
  },
  target({ engine, params: { name } }) {
    const prompt = typeof name === 'string' ? engine.host.registry.prompts.get(name) : undefined;
    return prompt && { attribute: 'gen_ai.prompt.name', name: prompt.name };
  },
  unknown: unknownPrompt,
};

function unknownPrompt({ engine, params, request }: Invocation): ProtocolError {
  const { registry } = engine.host;
  const visible = registry.prompts.list().filter((prompt) => registry.visible(prompt, request.principal));
  const names = visible.map(({ name }) => name);
  return unknownName('prompt', params['name'] as string, names);
}
