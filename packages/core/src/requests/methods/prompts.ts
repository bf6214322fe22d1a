import type { PromptResult } from '@toolwright/ground/base/content';
import type { BoundPrompt } from '@toolwright/ground/call/operation/operation';
import { after } from '@toolwright/json';
import { describePrompt } from '@toolwright/wire/definitions';
import { isJsonObject, NOTHING } from '@toolwright/wire/json-rpc';
import { invalidParams } from '@toolwright/wire/protocol-errors';
import type { MethodHandler, RoundCall } from '../active-request.js';
import { callOperation, listMethod, unknownAmong } from '../serve.js';

export const promptsList = listMethod<BoundPrompt>({
  key: 'prompts',
  catalogue: ({ prompts }) => prompts,
  describe: (prompt, { features }) => describePrompt(prompt, features),
});

export const promptsGet: MethodHandler = {
  find: ({ prompts }, { name }, principal) => prompts.getFor(name as string, principal),
  handle(request) {
    const { engine, codec, params } = request;
    const { name, arguments: args = NOTHING } = params;
    if (typeof name !== 'string') throw invalidParams('"name" must be a string.');
    if (!isJsonObject(args)) throw invalidParams('"arguments" must be an object.');
    const wrong = Object.keys(args).find((key) => typeof args[key] !== 'string');
    if (wrong !== undefined) throw invalidParams(`Prompt arguments are strings; "${wrong}" is not.`);
    const prompt = request.operation as BoundPrompt | undefined;
    if (!prompt) throw unknownAmong('prompts', name, request);
    const missing = prompt.arguments.find(({ name, required }) => required && !Object.hasOwn(args, name));
    const call: RoundCall<PromptResult> = {
      operation: prompt,
      args,
      run: () => prompt.run(request, args),
      encode: (result) => codec.promptResult(result),
    };
    if (!missing) return callOperation(request, call);
    const { additions, registry } = engine.host;
    return after(
      () => additions.prepareUse(prompt, request),
      () => {
        // A caller must not recognise a hidden prompt by its arguments.
        if (!registry.visible(prompt, request.principal)) return callOperation(request, call);
        throw invalidParams(`The prompt "${name}" needs the argument "${missing.name}".`);
      },
    );
  },
  target: ({ operation }) => operation && { attribute: 'gen_ai.prompt.name', name: operation.name },
  unknown: (request) => unknownAmong('prompts', request.params['name'] as string, request),
};
