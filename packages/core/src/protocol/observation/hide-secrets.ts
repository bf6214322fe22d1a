import type { JsonSchema } from '@toolwright/manifest';
import { HIDDEN, sensitiveParts } from '../../base/schema/sensitive-parts.js';
import type { Registry } from '../../call/operation/registry.js';
import { findResource } from '../lists/find-resource.js';
import { toldUri } from '../lists/told-uri.js';
import { isJsonObject, type JsonObject } from '../messages/json-rpc.js';

/** A request, as far as it decides what is hidden in it and in its answer. */
export interface Asked {
  readonly method: string;
  readonly params: JsonObject;
}

/** The parameters of a request, without what must not be repeated. */
export function hideInRequest(asked: Asked, registry: Registry): JsonObject {
  const { params } = asked;
  const { input } = schemasOf(asked, registry);
  const parts = input && sensitiveParts(input);
  const told: JsonObject = { ...params };
  if (typeof params['uri'] === 'string') told['uri'] = toldUri(params['uri'], registry);
  if (params['requestState'] !== undefined) told['requestState'] = HIDDEN;
  if (parts && params['arguments'] !== undefined) told['arguments'] = parts.hide(params['arguments']);
  if (parts && asked.method === 'completion/complete')
    Object.assign(told, { argument: HIDDEN, context: HIDDEN });
  return told;
}

/** The members of results that may repeat a value of the arguments, or hold one that the output schema marks. */
const tellingMembers = ['content', 'structuredContent', 'contents', 'messages', 'result', 'completion'];

/**
 * A result, without what must not be repeated. It may have a sensitive value in any of its forms, so all of them are
 * hidden.
 *
 * @param asked the request; `undefined` for messages that answer none, such as changes of a task
 */
export function hideInResult(result: JsonObject, asked: Asked | undefined, registry: Registry): JsonObject {
  const told: JsonObject = { ...result };
  if (result['requestState'] !== undefined) told['requestState'] = HIDDEN;
  const schemas = asked ? Object.values(schemasOf(asked, registry)) : [];
  const isSensitive = schemas.some((schema) => schema && sensitiveParts(schema) !== undefined);
  const isOfTask = typeof result['taskId'] === 'string' && hasSensitiveTasks(registry);
  if (isSensitive || isOfTask) for (const name of tellingMembers) if (name in told) told[name] = HIDDEN;
  return told;
}

interface Schemas {
  input?: JsonSchema | undefined;
  output?: JsonSchema | undefined;
}

function schemasOf({ method, params }: Asked, registry: Registry): Schemas {
  const { name, uri, ref } = params;
  if (typeof name === 'string') {
    if (method === 'tools/call') return schemasIn(registry.tools.get(name));
    if (method === 'prompts/get') return schemasIn(registry.prompts.get(name));
  }
  if (method === 'resources/read' && typeof uri === 'string')
    return schemasIn(findResource(registry, uri)?.operation);
  if (method === 'completion/complete' && isJsonObject(ref)) {
    const operation =
      registry.prompts.get(String(ref['name'])) ?? registry.resourceTemplates.get(String(ref['uri']));
    return schemasIn(operation);
  }
  return {};
}

function schemasIn(operation: object | undefined): Schemas {
  const { inputSchema: input, outputSchema: output } = (operation ?? {}) as {
    inputSchema?: JsonSchema;
    outputSchema?: JsonSchema;
  };
  return { input, output };
}

/** A task does not tell which tool it belongs to. */
function hasSensitiveTasks(registry: Registry): boolean {
  return registry.tools
    .list()
    .some(
      ({ task, inputSchema, outputSchema }) =>
        task && (sensitiveParts(inputSchema) ?? (outputSchema && sensitiveParts(outputSchema))) !== undefined,
    );
}
