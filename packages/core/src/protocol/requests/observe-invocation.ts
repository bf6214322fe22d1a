import type { Observed } from './telemetry.js';
import type { Invocation, Method } from '../engine.js';
import { toldUri } from '../lists/told-uri.js';

/** The attributes of a request's span (OpenTelemetry semantic conventions for MCP, server spans). */
export function describeInvocation(method: Method, invocation: Invocation): Observed {
  const { request, params } = invocation;
  const { uri } = params;
  return {
    method: method.name,
    target: method.target?.(invocation),
    attributes: {
      'jsonrpc.request.id': String(request.id),
      'mcp.protocol.version': request.revision,
      'network.transport': request.transport === 'http' ? 'tcp' : 'pipe',
      ...(request.ip && { 'client.address': request.ip }),
      ...(method.capability === 'resources' &&
        typeof uri === 'string' && {
          'mcp.resource.uri': toldUri(uri, invocation.engine.host.registry),
        }),
    },
    trace: request.trace,
  };
}
