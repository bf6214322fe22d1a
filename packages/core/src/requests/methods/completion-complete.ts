import type { ProtocolError } from '@toolwright/ground/base/errors/errors';
import type { Complete } from '@toolwright/ground/call/operation/operation';
import { isJsonObject, type JsonObject } from '@toolwright/wire/json-rpc';
import { invalidParams, unknownName } from '@toolwright/wire/protocol-errors';
import type { ActiveRequest, MethodHandler } from '../active-request.js';

/** The largest number of values in one answer (schema, CompleteResult). */
const MAX_VALUES = 100;

export const completionComplete: MethodHandler = {
  find({ prompts, resourceTemplates, resources }, { ref }, principal) {
    const { type, name, uri } = isJsonObject(ref) ? ref : {};
    if (type === 'ref/prompt' && typeof name === 'string') return prompts.getFor(name, principal);
    if (type !== 'ref/resource' || typeof uri !== 'string') return undefined;
    return resourceTemplates.getFor(uri, principal) ?? resources.getFor(uri, principal);
  },
  async handle(request) {
    const { codec, params } = request;
    const { ref, argument, context } = params;
    if (
      !isJsonObject(argument) ||
      typeof argument['name'] !== 'string' ||
      typeof argument['value'] !== 'string'
    ) {
      throw invalidParams('"argument" needs a "name" and a "value", both strings.');
    }
    const complete = await findCompleter(request, ref, argument['name']);
    request.begun = true;
    const values = complete ? await complete(argument['value'], readKnown(context), request) : [];
    return codec.result({
      completion: {
        values: values.slice(0, MAX_VALUES),
        total: values.length,
        hasMore: values.length > MAX_VALUES,
      },
    });
  },
};

async function findCompleter(
  request: ActiveRequest,
  ref: unknown,
  argument: string,
): Promise<Complete | undefined> {
  if (!isJsonObject(ref)) throw invalidParams('"ref" must be an object.');
  const { operation, engine, principal } = request;
  const { registry, additions } = engine.host;
  if (operation) await additions.prepareUse(operation, request);
  if (!operation || !registry.visible(operation, principal)) throw unknownReference(ref);
  const complete = 'complete' in operation ? operation.complete : {};
  return Object.hasOwn(complete, argument) ? complete[argument] : undefined;
}

function unknownReference({ type, name, uri }: JsonObject): ProtocolError {
  if (type === 'ref/prompt' && typeof name === 'string') return unknownName('prompt', name, []);
  if (type === 'ref/resource' && typeof uri === 'string') return unknownName('resource', uri, []);
  return invalidParams('"ref" must be a "ref/prompt" with a name or a "ref/resource" with a uri.');
}

function readKnown(context: unknown): Record<string, string> {
  if (context === undefined) return {};
  const known = isJsonObject(context) ? (context['arguments'] ?? {}) : undefined;
  if (!isJsonObject(known) || !Object.values(known).every((value) => typeof value === 'string')) {
    throw invalidParams('"context.arguments" must hold strings.');
  }
  return known as Record<string, string>;
}
