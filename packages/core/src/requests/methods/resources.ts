import { parseDuration } from '../../base/options/rules.js';
import { resourceNotFound } from '../../base/errors/specific-errors.js';
import type { BoundResource, BoundResourceTemplate } from '../../call/operation/operation.js';
import type { CacheHints } from '../../wire/revision-record.js';
import { describeResource, describeResourceTemplate } from '../../wire/definitions.js';
import { listMethod } from './list.js';
import type { ResourceResult } from '../../base/content.js';
import type { ActiveRequest, MethodHandler, RoundCall } from '../active-request.js';
import { REST_SCHEME, toolIn } from '../../call/operation/rest-uri.js';
import { readRest } from './read-rest.js';
import { toolTarget } from './tools.js';
import { callOperation } from '../serve.js';
import { findResource, ownUri, variablesIn } from '../lists/find-resource.js';
import { invalidParams } from '../../wire/protocol-errors.js';

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
      run() {
        request.begun = true;
        return operation.run(request, variables);
      },
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
