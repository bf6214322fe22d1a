import type { MaybePromise } from '../../base/maybe-promise.js';
import { HiddenOperationError } from '../../base/errors/hidden-operation-error.js';
import { JsonRpcCode, ProtocolError } from '../../base/errors/protocol-error.js';
import type { Observation } from './telemetry.js';
import { errorReply } from './answer.js';
import type { Invocation, Method } from '../engine.js';
import { noteFailure } from './note-refusal.js';
import { describeInvocation } from './observe-invocation.js';
import { resultText, type Reply } from '../messages/reply.js';

/**
 * Runs a method and turns its outcome into an answer. If the method needs no promise, this needs none either.
 */
export function runInvocation(method: Method, invocation: Invocation): MaybePromise<Reply | undefined> {
  const observation = invocation.engine.telemetry.observe(() => describeInvocation(method, invocation));
  return observation ? observe(method, invocation, observation) : run(method, invocation);
}

/** The same, inside a span: everything that the method does belongs to the span. */
function observe(
  method: Method,
  invocation: Invocation,
  observation: Observation,
): MaybePromise<Reply | undefined> {
  const { request } = invocation;
  request.trace = observation.trace;
  const finish = (reply: Reply | undefined) => {
    const { failure } = request;
    observation.end(failure?.type ?? (reply ? undefined : 'cancelled'), failure?.message);
    return reply;
  };
  const reply = observation.run(() => run(method, invocation));
  return reply instanceof Promise ? reply.then(finish) : finish(reply);
}

function run(method: Method, invocation: Invocation): MaybePromise<Reply | undefined> {
  const { traffic } = invocation.engine;
  traffic.enter();
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

function end({ engine, request }: Invocation): void {
  request.end();
  engine.traffic.leave();
}
