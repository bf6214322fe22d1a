import { resourceNotFound } from '../base/errors/specific-errors.js';
import { isLogLevel } from '../base/log.js';
import { after } from '../base/maybe-promise.js';
import type { Invocation, Method } from '../requests/engine.js';
import { findReadable } from '../requests/lists/find-resource.js';
import { MAX_URI } from '../wire/json-rpc.js';
import { invalidParams } from '../wire/protocol-errors.js';

/** How many resources one session may watch. */
const MAX_SUBSCRIPTIONS = 1000;
/** The characters of their URIs together. A shared store gets all of them with every change. */
const MAX_SUBSCRIBED = 262_144;

/** A method of the older era; 2026-07-28 has `subscriptions/listen`. */
export const resourcesSubscribe: Method = {
  name: 'resources/subscribe',
  calls: { operation: 'resource', parameter: 'uri' },
  capability: 'resources',
  handle(invocation) {
    const uri = readUri(invocation);
    const { engine, request, session } = invocation;
    if (!findReadable(engine.host.registry, uri, request.principal)) throw resourceNotFound(uri, 'stateful');
    if (
      session &&
      (session.subscriptions.size >= MAX_SUBSCRIPTIONS ||
        lengthOf(session.subscriptions) + uri.length > MAX_SUBSCRIBED)
    )
      throw invalidParams('Too many subscriptions.');
    return after(
      () => session?.subscribe(uri),
      () => '{}',
    );
  },
};

export const resourcesUnsubscribe: Method = {
  name: 'resources/unsubscribe',
  capability: 'resources',
  handle(invocation) {
    const uri = readUri(invocation);
    return after(
      () => invocation.session?.unsubscribe(uri),
      () => '{}',
    );
  },
};

function lengthOf(uris: ReadonlySet<string>): number {
  let length = 0;
  for (const uri of uris) length += uri.length;
  return length;
}

function readUri({ params: { uri } }: Invocation): string {
  if (typeof uri !== 'string') throw invalidParams('"uri" must be a string.');
  if (uri.length > MAX_URI) throw invalidParams(`"uri" has at most ${MAX_URI} characters.`);
  return uri;
}

/** A method of the older era. On 2026-07-28, each request names the level. */
export const loggingSetLevel: Method = {
  name: 'logging/setLevel',
  handle({ params, session }) {
    const { level } = params;
    if (!isLogLevel(level)) throw invalidParams('"level" must be one of the eight log levels.');
    return after(
      () => session?.setLogLevel(level),
      () => '{}',
    );
  },
};

export const ping: Method = { name: 'ping', handle: () => '{}' };
