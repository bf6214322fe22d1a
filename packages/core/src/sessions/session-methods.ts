import { MAX_URI } from '@toolwright/json';
import { resourceNotFound } from '../base/errors/errors.js';
import { isLogLevel } from '../base/log.js';
import { after } from '../base/maybe-promise.js';
import type { Principal } from '../base/request-context.js';
import type { Registry } from '../call/operation/registry.js';
import type { ActiveRequest, MethodHandler, MethodHandlers } from '../requests/active-request.js';
import { findResource, findWatchable, ownUri } from '../requests/lists/find-resource.js';
import { type JsonObject } from '../wire/json-rpc.js';
import { invalidParams, noChangesSent } from '../wire/protocol-errors.js';

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
