import { randomUUID } from 'node:crypto';
import { ToolError, isProtocolError, resourceNotFound } from '@toolwright/ground/base/errors/errors';
import { isLogLevel } from '@toolwright/ground/base/log';
import type {
  AskMode,
  ClientInput,
  ClientMethod,
  RequestId,
  Principal,
} from '@toolwright/ground/base/request-context';
import type { Registry } from '@toolwright/ground/call/operation/registry';
import { MAX_URI, type MaybePromise, after } from '@toolwright/json';
import { readProgressToken, readTrace } from '@toolwright/wire/classify';
import {
  isJsonObject,
  isRequestId,
  type JsonObject,
  type RpcNotification,
  type RpcRequest,
} from '@toolwright/wire/json-rpc';
import { readNames } from '@toolwright/wire/methods';
import {
  methodNotFound,
  urlElicitationRequired,
  invalidParams,
  noChangesSent,
} from '@toolwright/wire/protocol-errors';
import { type Reply, errorReply, stoppingReply } from '@toolwright/wire/reply';
import type { Cancellation, ResponseChannel } from '@toolwright/wire/response-channel';
import type { Features } from '@toolwright/wire/revision-record';
import {
  ActiveRequest,
  type Engine,
  type RequestDescription,
  type RequestPlan,
  type MethodHandler,
  type MethodHandlers,
} from '../requests/active-request.js';
import { isOffered } from '../requests/capabilities.js';
import {
  capabilitiesOf,
  declares,
  missingCapability,
  readAnswer,
  requiredCapabilities,
  NOTHING,
} from '../requests/client-questions.js';
import { findResource, findWatchable, ownUri } from '../requests/lists/find-resource.js';
import { planRequest } from '../requests/read.js';
import { noteRefusedMessage } from '../requests/refusals.js';
import { runMethod } from '../requests/serve.js';
import type { AskRoute } from './open-questions.js';
import type { Session } from './session.js';

/** How a request reached its session. */
interface SessionRoute {
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

/**
 * Questions of the older era: the server sends a request to the client in the middle of the call, and the
 * call waits for the answer.
 */
class StatefulInput implements ClientInput {
  readonly pending = NOTHING;
  readonly resumed = false;
  readonly paid = false;
  #memories: Map<string, unknown> | undefined;

  constructor(
    /** `undefined` for requests that are handled on their own: an answer could not be linked to them. */
    private readonly session: Session | undefined,
    private readonly features: Features,
    private readonly route: AskRoute,
  ) {}

  supports(method: ClientMethod, mode: AskMode = 'form'): boolean {
    return this.#canAsk(capabilitiesOf(method, mode));
  }

  async ask(_key: string, method: ClientMethod, params: JsonObject): Promise<JsonObject> {
    const required = requiredCapabilities(method, params);
    const asked = this.#narrow(method, params);
    if (!this.session && asked['elicitationId'] !== undefined) throw urlElicitationRequired(asked);
    if (!this.session || !this.#canAsk(required)) throw missingCapability(required);
    const answer = readAnswer(method, params, await this.session.ask(method, asked, this.route));
    if (!answer) throw new ToolError(`The client's answer to ${method} does not fit what was asked.`);
    return answer;
  }

  recall(key: string): { value: unknown } | undefined {
    return this.#memories?.has(key) ? { value: this.#memories.get(key) } : undefined;
  }

  remember(key: string, value: unknown): void {
    (this.#memories ??= new Map()).set(key, value);
  }

  /**
   * Before `notifications/initialized`, the server may only ping the client (lifecycle of all older
   * revisions).
   */
  #canAsk(required: JsonObject): boolean {
    return (
      this.session?.initialized === true &&
      declares(this.session.client.capabilities, required, this.features)
    );
  }

  #narrow(method: ClientMethod, params: JsonObject): JsonObject {
    if (method !== 'elicitation/create') return params;
    if (this.features.urlElicitation) {
      return params['mode'] === 'url' ? { elicitationId: randomUUID(), ...params } : params;
    }
    const { mode: _mode, ...form } = params;
    return form;
  }
}

/** How many resources one session may watch. */
const MAX_SUBSCRIPTIONS = 1000;
/** The characters of their URIs together. A shared store gets all of them with every change. */
const MAX_SUBSCRIBED = 262_144;

/** A method of the older era; 2026-07-28 has `subscriptions/listen`. */
const resourcesSubscribe: MethodHandler = {
  find: findWatched,
  handle(request) {
    requireStream(request);
    const uri = readUri(request);
    const { within } = request;
    return after(
      () => findWatchable(request, uri),
      (found) => {
        if (!found) throw resourceNotFound(uri, 'stateful');
        const own = ownUri(found.operation, uri);
        if (within && isFull(within.subscriptions, own)) throw invalidParams('Too many subscriptions.');
        return after(
          () => within?.subscribe(own),
          () => '{}',
        );
      },
    );
  },
};

const resourcesUnsubscribe: MethodHandler = {
  find: findWatched,
  handle(request) {
    requireStream(request);
    const uri = readUri(request);
    const { engine, principal } = request;
    const found = findResource(engine.host.registry, uri, principal);
    return after(
      () => request.within?.unsubscribe(found ? ownUri(found, uri) : uri),
      () => '{}',
    );
  },
};

function findWatched(
  registry: Registry,
  { uri }: JsonObject,
  principal: Principal | undefined,
): ReturnType<typeof findResource> {
  return typeof uri === 'string' && uri.length <= MAX_URI
    ? findResource(registry, uri, principal)
    : undefined;
}

function isFull(uris: ReadonlySet<string>, wanted: string): boolean {
  let length = wanted.length;
  for (const uri of uris) length += uri.length;
  return uris.size >= MAX_SUBSCRIPTIONS || length > MAX_SUBSCRIBED;
}

/** @throws {ProtocolError} -32601 when no stream can bring what the client subscribes to */
function requireStream({ engine, session, method }: ActiveRequest): void {
  if (!session || !engine.settings.sendsChanges) throw noChangesSent(method);
}

function readUri({ params: { uri } }: ActiveRequest): string {
  if (typeof uri !== 'string') throw invalidParams('"uri" must be a string.');
  if (uri.length > MAX_URI) throw invalidParams(`"uri" has at most ${MAX_URI} characters.`);
  return uri;
}

/** A method of the older era. On 2026-07-28, each request names the level. */
const loggingSetLevel: MethodHandler = {
  handle({ params, within }) {
    const { level } = params;
    if (!isLogLevel(level)) throw invalidParams('"level" must be one of the eight log levels.');
    return after(
      () => within?.setLogLevel(level),
      () => '{}',
    );
  },
};

/** Methods of the revisions with a handshake. */
export const sessionHandlers = {
  ping: { handle: () => '{}' },
  'logging/setLevel': loggingSetLevel,
  'resources/subscribe': resourcesSubscribe,
  'resources/unsubscribe': resourcesUnsubscribe,
} satisfies MethodHandlers;
