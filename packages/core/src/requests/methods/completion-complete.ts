import type { Complete } from '../../call/operation/operation.js';
import type { ActiveRequest, Method } from '../active-request.js';
import { isJsonObject, type JsonObject } from '../../wire/json-rpc.js';
import { invalidParams, unknownName } from '../../wire/protocol-errors.js';

/** The largest number of values in one answer (schema, CompleteResult). */
const MAX_VALUES = 100;

export const completionComplete: Method = {
  name: 'completion/complete',
  calls: {
    operation: 'completion',
    name: ({ ref }) => (isJsonObject(ref) ? (ref['name'] ?? ref['uri']) : undefined),
  },
  capability: 'completions',
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
    const complete = findCompleter(request, ref, argument['name']);
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

function findCompleter(request: ActiveRequest, ref: unknown, argument: string): Complete | undefined {
  if (!isJsonObject(ref)) throw invalidParams('"ref" must be an object.');
  const { complete } = findReferred(request, ref);
  return Object.hasOwn(complete, argument) ? complete[argument] : undefined;
}

function findReferred(
  { engine, principal }: ActiveRequest,
  ref: JsonObject,
): { complete: Readonly<Record<string, Complete>> } {
  const { registry } = engine.host;
  const { type, name, uri } = ref;
  if (type === 'ref/prompt' && typeof name === 'string') {
    const prompt = registry.prompts.getFor(name, principal);
    if (prompt && registry.visible(prompt, principal)) return prompt;
    throw unknownName('prompt', name, []);
  }
  if (type === 'ref/resource' && typeof uri === 'string') {
    const template = registry.resourceTemplates.getFor(uri, principal);
    if (template && registry.visible(template, principal)) return template;
    const resource = registry.resources.getFor(uri, principal);
    if (resource && registry.visible(resource, principal)) return { complete: {} };
    throw unknownName('resource', uri, []);
  }
  throw invalidParams('"ref" must be a "ref/prompt" with a name or a "ref/resource" with a uri.');
}

function readKnown(context: unknown): Record<string, string> {
  if (context === undefined) return {};
  const known = isJsonObject(context) ? (context['arguments'] ?? {}) : undefined;
  if (!isJsonObject(known) || !Object.values(known).every((value) => typeof value === 'string')) {
    throw invalidParams('"context.arguments" must hold strings.');
  }
  return known as Record<string, string>;
}
