import type { ResourceResult, ToolResult } from '@toolwright/ground/base/content';
import { resourceNotFound } from '@toolwright/ground/base/errors/errors';
import { parseDuration } from '@toolwright/ground/base/options/rules';
import { REST_SCHEME, toolIn } from '@toolwright/ground/call/operation/names';
import type {
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
} from '@toolwright/ground/call/operation/operation';
import { type MaybePromise, after } from '@toolwright/json';
import { describeResource, describeResourceTemplate } from '@toolwright/wire/definitions';
import { invalidParams } from '@toolwright/wire/protocol-errors';
import type { CacheHints } from '@toolwright/wire/revision-record';
import type { ActiveRequest, MethodHandler, RoundCall } from '../active-request.js';
import { toolTarget } from './tools.js';
import { callOperation, listMethod } from '../serve.js';
import { findResource, ownUri, variablesIn } from '../lists/find-resource.js';

const READ_ANEW: CacheHints = { ttlMs: 0, cacheScope: 'private' };

export const resourcesList = listMethod<BoundResource>({
  key: 'resources',
  catalogue: ({ resources }) => resources,
  describe: (resource, { features }) => describeResource(resource, features),
});

export const resourceTemplatesList = listMethod<BoundResourceTemplate>({
  key: 'resourceTemplates',
  catalogue: ({ resourceTemplates }) => resourceTemplates,
  describe: (template, { features }) => describeResourceTemplate(template, features),
});

export const resourcesRead: MethodHandler = {
  find(registry, { uri }, principal) {
    if (typeof uri !== 'string') return undefined;
    if (!uri.startsWith(REST_SCHEME)) return findResource(registry, uri, principal);
    const name = toolIn(uri);
    return name === undefined ? undefined : registry.tools.getFor(name, principal);
  },
  handle(request) {
    const { engine, codec, params } = request;
    const { uri: given } = params;
    if (typeof given !== 'string') throw invalidParams('"uri" must be a string.');
    if (given.startsWith(REST_SCHEME)) return readRest(request, given);
    const operation = request.operation as BoundResource | BoundResourceTemplate | undefined;
    if (!operation) throw resourceNotFound(given, codec.era);
    const uri = ownUri(operation, given);
    const variables = variablesIn(operation, uri);
    request.uri = uri;
    const call: RoundCall<ResourceResult> = {
      operation,
      args: { uri, ...variables },
      isVisible: () => engine.host.registry.mayRead(request.principal, operation, uri, variables),
      run: () => operation.run(request, variables),
      encode: (result) => codec.resourceResult(result, cacheHints(request, operation)),
    };
    return callOperation(request, call);
  },
  // A link to the rest of a result is a call of its tool.
  target: ({ operation }) => (operation?.kind === 'tool' ? toolTarget(operation) : undefined),
  unknown: ({ params, codec }) => resourceNotFound(params['uri'] as string, codec.era),
};

/** A result that depends on answers of the client may differ in the next read (server/utilities/caching, Cache Key). */
function cacheHints(
  { engine, params }: ActiveRequest,
  { cache }: BoundResource | BoundResourceTemplate,
): CacheHints {
  const isRetry = params['inputResponses'] !== undefined || params['requestState'] !== undefined;
  if (!cache || isRetry) return READ_ANEW;
  const isShared = cache.scope === 'public' && !engine.host.registry.perCaller;
  return { ttlMs: parseDuration(cache.ttl), cacheScope: isShared ? 'public' : 'private' };
}

/**
 * Reads what was left out of a result (`@MaxOutput({ link: true })`). It is a call of the tool, with all its guards. A
 * link of another caller, a forged and an old one, and one to a tool that is hidden, are answered as a URI that nothing has.
 */
function readRest(request: ActiveRequest, uri: string): MaybePromise<string> {
  const tool = request.operation as BoundTool | undefined;
  return after(
    () => tool && request.engine.host.additions.prepareUse(tool, request),
    () => readOf(tool, request, uri),
  );
}

function readOf(tool: BoundTool | undefined, request: ActiveRequest, uri: string): MaybePromise<string> {
  const { engine, codec, principal } = request;
  const isVisible = tool !== undefined && engine.host.registry.visible(tool, principal);
  const rest = isVisible ? tool.links?.open(tool, request, uri) : undefined;
  if (!rest) {
    request.refusal = { reason: 'TW_CURSOR_INVALID', detail: isVisible ? 'link' : 'hidden' };
    throw resourceNotFound(uri, codec.era);
  }
  const call: RoundCall<ToolResult> = {
    operation: tool!,
    args: { uri },
    run: () => tool!.run(request, rest.args),
    encode: (result) => codec.resourceResult(rest.contents(result, uri), READ_ANEW),
  };
  return callOperation(request, call);
}
