import type { MaybePromise } from '../../base/maybe-promise.js';
import { HiddenOperationError } from '../../base/errors/specific-errors.js';
import { JsonRpcCode, ProtocolError } from '../../base/errors/errors.js';
import { errorReply } from './answer.js';
import type { Invocation, Method } from '../engine.js';
import { noteFailure } from './note-refusal.js';
import { observe } from './observe-invocation.js';
import { resultText } from '../messages/json-rpc.js';
import type { Reply } from '../messages/reply.js';
import { SDK } from './telemetry.js';

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
