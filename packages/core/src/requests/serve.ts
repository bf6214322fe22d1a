import {
  JsonRpcCode,
  type ProtocolError,
  isProtocolError,
  HiddenOperationError,
  InsufficientScopeError,
} from '@toolwright/ground/base/errors/errors';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import { type Observed, SDK } from '@toolwright/ground/ports/telemetry';
import type { MaybePromise } from '@toolwright/json';
import { errorText, resultText } from '@toolwright/wire/json-rpc';
import { methodNotFound, unknownName } from '@toolwright/wire/protocol-errors';
import { CHALLENGE_META, type Reply, errorReply, stoppingReply } from '@toolwright/wire/reply';
import type { ResponseChannel } from '@toolwright/wire/response-channel';
import {
  ActiveRequest,
  type Engine,
  type Method,
  type MethodHandler,
  type RoundCall,
  finishRound,
} from './active-request.js';
import { isOffered } from './capabilities.js';
import { redactedUri } from './lists/find-resource.js';
import type { Listing } from './lists/list-pages.js';
import { lookUpAgain, type StatelessRequest } from './read.js';
import { noteFailure } from './refusals.js';

/**
 * Answers a stateless request whose envelope and headers were already checked. Returns `undefined` when the
 * request was cancelled.
 */
export function serveStateless(
  engine: Engine,
  message: StatelessRequest,
  channel: ResponseChannel,
): MaybePromise<Reply | undefined> {
  const { id, plan } = message;
  if (engine.traffic.draining) return stoppingReply(id);
  const { method } = plan;
  if (!method || (method.capability && !isOffered(method.capability, engine.host.registry)))
    return errorReply(id, methodNotFound(message.method), { era: 'stateless', logger: engine.host.logger });
  return runMethod(method, new ActiveRequest(engine, message, channel));
}

/**
 * Runs a method and turns its outcome into an answer. It is synchronous if the method is. Without an OpenTelemetry
 * SDK, a request costs telemetry one look at a property.
 */
export function runMethod(method: Method, request: ActiveRequest): MaybePromise<Reply | undefined> {
  return SDK in globalThis ? observe(method, request) : run(method, request);
}

function run(method: Method, request: ActiveRequest): MaybePromise<Reply | undefined> {
  request.engine.traffic.active++;
  let outcome: MaybePromise<string | undefined>;
  try {
    const met = request.engine.host.additions.first?.(request);
    outcome = met ? met.then(() => handleAnew(method, request)) : method.handle(request);
  } catch (error) {
    return fail(method, request, error);
  }
  if (!(outcome instanceof Promise)) return settle(request, outcome);
  return outcome.then(
    (text) => settle(request, text),
    (error: unknown) => fail(method, request, error),
  );
}

/** A package has found out what there is for the caller. */
function handleAnew(method: Method, request: ActiveRequest): MaybePromise<string | undefined> {
  if (method.find) lookUpAgain(request, method);
  return method.handle(request);
}

function settle(request: ActiveRequest, text: string | undefined): Reply | undefined {
  end(request);
  // Nothing may follow a cancellation, even if the work was done.
  if (text === undefined || request.cancellation.aborted) return undefined;
  return { text: resultText(request.id, text), status: 200 };
}

function fail(method: Method, request: ActiveRequest, error: unknown): Reply | undefined {
  end(request);
  noteFailure(method, request, error);
  if (request.cancellation.aborted) return undefined;
  const shown = error instanceof HiddenOperationError ? (method.unknown?.(request) ?? error) : error;
  request.failure = isProtocolError(shown)
    ? { type: String(shown.rpcCode), message: shown.message }
    : { type: String(JsonRpcCode.internalError) };
  if (shown instanceof InsufficientScopeError) return lockedReply(request, shown);
  return errorReply(request.id, shown, { era: request.era, logger: request.engine.host.logger });
}

/**
 * Tells a caller which scopes it lacks. A tool answers with a result that a model can read: some hosts look for the
 * challenge only there, others only at the status and the header of HTTP.
 */
function lockedReply(request: ActiveRequest, error: InsufficientScopeError): Reply {
  const { id, codec, era, operation, params, principal, client } = request;
  const held = era === 'stateful' ? (principal?.scopes ?? []) : [];
  const scopes = [...new Set([...held, ...error.scopes])];
  const text = (challenge: string) => {
    const _meta = { [CHALLENGE_META]: [challenge] };
    // A client that asks for a task (2025-11-25) can read a task or an error, and no result of a tool.
    const wantsTask = codec.features.requestedTasks && params['task'] !== undefined;
    if (operation?.kind !== 'tool' || wantsTask)
      return errorText(id, {
        rpcCode: error.rpcCode,
        message: error.message,
        data: { ...error.data, _meta },
      });
    const content = [{ type: 'text' as const, text: error.message }];
    return resultText(id, codec.toolResult({ content, isError: true, _meta }, operation));
  };
  const bare = `Bearer error="insufficient_scope", error_description="${error.message}", scope="${scopes.join(' ')}"`;
  return { status: 403, text: text(bare), locked: { scopes, client: client.info?.name, text } };
}

function end(request: ActiveRequest): void {
  const { traffic } = request.engine;
  request.end();
  traffic.active--;
  // Only a server that stops waits for its requests.
  if (traffic.draining) traffic.tellIdle();
}

/** Calls an operation: in its first round, or in a later one. Returns its result or its questions as JSON. */
export function callOperation<R>(request: ActiveRequest, call: RoundCall<R>): MaybePromise<string> {
  const { params, era, engine } = request;
  const isPlain = params['requestState'] === undefined && params['inputResponses'] === undefined;
  // Stateful clients send neither.
  if (!isPlain && era === 'stateless') return engine.rounds.resume(request, call);
  request.begun = true;
  return finishRound(request, call, call.run());
}

/** The error for a name that nothing has, or that is hidden from the caller. It suggests names that the caller may see. */
export function unknownAmong(
  kind: 'tools' | 'prompts',
  name: string,
  { engine, principal }: ActiveRequest,
): ProtocolError {
  const { registry } = engine.host;
  const all: readonly BoundOperation[] = registry[kind].list();
  const visible = all.filter((each) => registry.visible(each, principal));
  return unknownName(
    kind === 'tools' ? 'tool' : 'prompt',
    name,
    visible.map((each) => each.name),
  );
}

/** A method that lists the operations of one kind, page by page. */
export function listMethod<O extends BoundOperation>(listing: Listing<O>): MethodHandler {
  return {
    handle: (request) =>
      request.engine.pages.page(listing, request.codec, { request, cursor: request.params['cursor'] }),
  };
}

/** Runs a method inside a span: everything that the method does belongs to the span. */
function observe(method: Method, request: ActiveRequest): MaybePromise<Reply | undefined> {
  const observation = request.engine.telemetry.observe(() => describeRequest(method, request));
  if (!observation) return run(method, request);
  request.trace = observation.trace;
  const finish = (reply: Reply | undefined) => {
    const { failure } = request;
    // A call through `call_tool` is one of the tool behind it.
    observation.meant(method.target?.(request));
    observation.end(failure?.type ?? (reply ? undefined : 'cancelled'), failure?.message);
    return reply;
  };
  const reply = observation.run(() => run(method, request));
  return reply instanceof Promise ? reply.then(finish) : finish(reply);
}

/** The attributes of a request's span (OpenTelemetry semantic conventions for MCP, server spans). */
function describeRequest(method: Method, request: ActiveRequest): Observed {
  const { uri } = request.params;
  return {
    method: method.name,
    target: method.target?.(request),
    attributes: {
      'jsonrpc.request.id': String(request.id),
      'mcp.protocol.version': request.revision,
      'network.transport': request.transport === 'http' ? 'tcp' : 'pipe',
      ...(request.ip && { 'client.address': request.ip }),
      ...(method.capability === 'resources' &&
        typeof uri === 'string' && { 'mcp.resource.uri': redactedUri(uri, request.engine.host.registry) }),
    },
    trace: request.trace,
  };
}
