import type { MaybePromise } from '../base/maybe-promise.js';
import { isProtocolError } from '../base/errors/errors.js';
import {
  ActiveRequest,
  type Engine,
  type RequestDescription,
  type RequestPlan,
} from '../requests/active-request.js';
import { type Reply, errorReply, stoppingReply } from '../wire/reply.js';
import { isOffered } from '../requests/capabilities.js';
import type { Cancellation, ResponseChannel } from '../wire/response-channel.js';
import { readProgressToken, readTrace } from '../wire/classify.js';
import { isJsonObject, isRequestId, type RpcNotification, type RpcRequest } from '../wire/json-rpc.js';
import { StatefulInput } from './stateful-input.js';
import { noteRefusedMessage } from '../requests/refusals.js';
import { readNames } from '../wire/method-names.js';
import { methodNotFound } from '../wire/protocol-errors.js';
import type { RequestId } from '../base/request-context.js';
import { planRequest } from '../requests/read.js';
import { runMethod } from '../requests/serve.js';
import type { Session } from './session.js';

/** How a request reached its session. */
export interface SessionRoute {
  session: Session;
  /**
   * False for requests that are handled on their own: an answer of the client could not be linked to them.
   */
  canAsk: boolean;
}

/** A request of the older era, and the session that it belongs to. */
export interface StatefulRequest {
  message: RpcRequest;
  route: SessionRoute;
}

/**
 * Answers a request of the older era within its session. Returns `undefined` when the request was cancelled.
 */
export function serveStateful(
  engine: Engine,
  { message, route }: StatefulRequest,
  channel: ResponseChannel,
): MaybePromise<Reply | undefined> {
  const { id } = message;
  const { session, canAsk } = route;
  if (engine.traffic.draining) return stoppingReply(id);
  const audience = { era: 'stateful', logger: engine.host.logger } as const;
  let plan: RequestPlan;
  try {
    const { principal } = channel.peer;
    plan = planRequest(engine, message, { served: engine.served.get(session.revision)!, principal });
  } catch (error) {
    return errorReply(id, error, audience);
  }
  const { method, codec, params } = plan;
  // A ping is the only request that may come earlier.
  if (method?.name !== 'ping') session.presumeInitialized();
  if (!method || (method.capability && !isOffered(method.capability, engine.host.registry))) {
    return errorReply(id, methodNotFound(message.method), audience);
  }
  let envelope: RequestDescription;
  try {
    envelope = describe(session, params['_meta']);
  } catch (error) {
    const { peer } = channel;
    if (isProtocolError(error)) noteRefusedMessage(engine, { method: method.name, params }, { peer, error });
    return errorReply(id, error, audience);
  }
  const { cancellation } = channel;
  const request = new ActiveRequest(engine, { id, method: message.method, plan, envelope }, channel);
  request.input = new StatefulInput(canAsk ? session : undefined, codec.features, {
    send: (text) => channel.send(text),
    cancellation,
    stop: engine.host.work.stop,
    trace: () => request.trace,
  });
  request.within = session;
  if (session.lasting) request.session = session;
  session.running.set(id, cancellation);
  const reply = runMethod(method, request);
  if (reply instanceof Promise) return reply.finally(() => forget(session, id, cancellation));
  forget(session, id, cancellation);
  return reply;
}

/**
 * If a client uses the same id for two running requests, the server must not lose track of the second one.
 */
function forget({ running }: Session, id: RequestId, cancellation: Cancellation): void {
  if (running.get(id) === cancellation) running.delete(id);
}

function describe(session: Session, meta: unknown): RequestDescription {
  const own = isJsonObject(meta) ? meta : {};
  return {
    client: session.client,
    logLevel: session.logLevel,
    progressToken: readProgressToken(own),
    trace: readTrace(own),
  };
}

/** Handles a notification of the client. It ignores notifications that are unknown or too late. */
export function hearNotification(session: Session, notification: RpcNotification): void {
  const { method, params } = readNames(session.names, notification);
  if (method === 'notifications/initialized') session.initialize();
  if (method === 'notifications/cancelled' && isRequestId(params['requestId'])) {
    session.cancel(params['requestId']);
  }
}
