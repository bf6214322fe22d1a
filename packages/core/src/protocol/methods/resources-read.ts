import { resourceNotFound } from '../../errors/resource-not-found.js';
import type { Method } from '../engine.js';
import { findResource } from '../find-resource.js';
import { invalidParams } from '../protocol-errors.js';

export const resourcesRead: Method = {
  name: 'resources/read',
  capability: 'resources',
  handle(invocation) {
    const { engine, codec, params, request } = invocation;
    const { uri } = params;
    if (typeof uri !== 'string') throw invalidParams('"uri" must be a string.');
    const found = findResource(engine.host.registry, uri);
    if (!found) throw resourceNotFound(uri, codec.era);
    const { operation, variables } = found;
    request.uri = uri;
    return engine.rounds.run(invocation, {
      operation,
      args: { uri, ...variables },
      run: () => operation.run(request, variables),
      encode: (result) => codec.resourceResult(result, { ttlMs: 0, cacheScope: 'private' }),
    });
  },
  unknown: ({ params, codec }) => resourceNotFound(params['uri'] as string, codec.era),
};
