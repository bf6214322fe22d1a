import type { MaybePromise } from '../../base/maybe-promise.js';
import type { Observed } from './telemetry.js';
import type { Invocation, Method } from '../engine.js';
import type { Reply } from '../messages/reply.js';
import { toldUri } from '../lists/told-uri.js';

/** Runs a method inside a span: everything that the method does belongs to the span. */
export function observe(
  method: Method,
  invocation: Invocation,
  run: (method: Method, invocation: Invocation) => MaybePromise<Reply | undefined>,
): MaybePromise<Reply | undefined> {
  const { engine, request } = invocation;
  const observation = engine.telemetry.observe(() => describeInvocation(method, invocation));
  if (!observation) return run(method, invocation);
  request.trace = observation.trace;
  const finish = (reply: Reply | undefined) => {
    const { failure } = request;
    observation.end(failure?.type ?? (reply ? undefined : 'cancelled'), failure?.message);
    return reply;
  };
  const reply = observation.run(() => run(method, invocation));
  return reply instanceof Promise ? reply.then(finish) : finish(reply);
}

/** The attributes of a request's span (OpenTelemetry semantic conventions for MCP, server spans). */
function describeInvocation(method: Method, invocation: Invocation): Observed {
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
