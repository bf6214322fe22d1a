import { JsonRpcCode, ProtocolError } from '../base/errors/errors.js';
import { HiddenOperationError } from '../base/errors/specific-errors.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import { type Observed, SDK } from '../observe/open-telemetry.js';
import { statelessMethods } from '../protocol/create-protocol.js';
import { resultText } from '../wire/json-rpc.js';
import { methodNotFound } from '../wire/protocol-errors.js';
import { type Reply, errorReply, stoppingReply } from '../wire/reply.js';
import type { ResponseChannel } from '../wire/response-channel.js';
import { ActiveRequest } from './active-request.js';
import { addedMethod, isOffered } from './capabilities.js';
import type { StatelessRequest } from './classify.js';
import type { Engine, Invocation, Method } from './engine.js';
import { redactedUri } from './lists/find-resource.js';
import { noteFailure } from './refusals.js';
import { StatelessInput } from './rounds/stateless-input.js';

/**
 * Answers a stateless request whose envelope and headers were already checked. Returns `undefined` when the
 * request was cancelled.
 */
export function serveStateless(
  engine: Engine,
  { id, method: name, params, envelope }: StatelessRequest,
  exchange: ResponseChannel,
): MaybePromise<Reply | undefined> {
  if (engine.traffic.draining) return stoppingReply(id);
  const codec = engine.codecs.get(envelope.version)!;
  const method = statelessMethods.get(name) ?? addedMethod(engine, name, 'stateless');
  if (!method || (method.capability && !isOffered(method.capability, engine.host.registry))) {
    return errorReply(id, methodNotFound(name), { era: 'stateless', logger: engine.host.logger });
  }
  const request = new ActiveRequest(
    id,
    codec,
    exchange,
    envelope,
    new StatelessInput(envelope.client.capabilities, codec.features),
  );
  return runInvocation(method, { engine, codec, params, request, exchange });
}

/**
 * Runs a method and turns its outcome into an answer. If the method needs no promise, this needs none either.
 * Without an OpenTelemetry SDK, a request costs telemetry one look at a property.
 */
export function runInvocation(method: Method, invocation: Invocation): MaybePromise<Reply | undefined> {
  return SDK in globalThis ? observe(method, invocation, run) : run(method, invocation);
}

function run(method: Method, invocation: Invocation): MaybePromise<Reply | undefined> {
  const { traffic } = invocation.engine;
  traffic.active++;
  let outcome: MaybePromise<string | undefined>;
  try {
    outcome = method.handle(invocation);
  } catch (error) {
    return fail(method, invocation, error);
  }
  if (!(outcome instanceof Promise)) return settle(invocation, outcome);
  return outcome.then(
    (text) => settle(invocation, text),
    (error: unknown) => fail(method, invocation, error),
  );
}

function settle(invocation: Invocation, text: string | undefined): Reply | undefined {
  const { id } = invocation.request;
  end(invocation);
  // Nothing may follow a cancellation, even if the work was done all the same.
  if (text === undefined || invocation.exchange.cancellation.aborted) return undefined;
  return { text: resultText(id, text), status: 200 };
}

function fail(method: Method, invocation: Invocation, error: unknown): Reply | undefined {
  const { codec, engine, request, exchange } = invocation;
  end(invocation);
  noteFailure(method, invocation, error);
  if (exchange.cancellation.aborted) return undefined;
  const told = error instanceof HiddenOperationError ? (method.unknown?.(invocation) ?? error) : error;
  request.failure =
    told instanceof ProtocolError
      ? { type: String(told.rpcCode), message: told.message }
      : { type: String(JsonRpcCode.internalError) };
  return errorReply(request.id, told, { era: codec.era, logger: engine.host.logger });
}

function end({ engine: { traffic }, request }: Invocation): void {
  request.end();
  traffic.active--;
  // Only a server that stops waits for its requests.
  if (traffic.draining) traffic.tellIdle();
}

/** Runs a method inside a span: everything that the method does belongs to the span. */
function observe(
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
          'mcp.resource.uri': redactedUri(uri, invocation.engine.host.registry),
        }),
    },
    trace: request.trace,
  };
}
