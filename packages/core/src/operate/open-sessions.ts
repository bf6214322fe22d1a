import type { ServerRegistry } from '../boot/registry/server-registry.js';
import type { Engine } from '../protocol/engine.js';
import { findResource } from '../protocol/lists/find-resource.js';
import { changeNotifications } from '../protocol/sessions/change-notification.js';
import { callerOfOwner, clientOf } from './caller-identity.js';
import type { SessionState, StreamState, SubscriptionState } from './server-state.js';

/** The sessions of clients with a handshake, as this process has them. */
export function openSessions({ sessions }: Engine): SessionState[] {
  return [...sessions].map(({ session, holder }) => ({
    key: session.key,
    revision: session.revision,
    ...clientOf(session.client),
    caller: callerOfOwner(holder),
    openedAt: session.openedAt,
    usedAt: session.lastUsed,
    requests: session.running.size,
    streams: session.openedStreams.length,
    subscriptions: session.subscriptions.size,
  }));
}

/** @returns false when this process has no such session */
export async function endSession({ sessions }: Engine, key: string): Promise<boolean> {
  const found = [...sessions].find(({ session }) => session.key === key);
  if (!found) return false;
  await sessions.end(found.session.id);
  return true;
}

export function openStreams({ sessions, listeners }: Engine): StreamState[] {
  const listening = [...listeners].map(([owner, { request, since }]): StreamState => ({
    kind: 'listen',
    caller: callerOfOwner(owner),
    ...clientOf(request.client),
    isConnected: true,
    since,
  }));
  const ofSessions = [...sessions].flatMap(({ session, holder }) =>
    session.openedStreams.map(({ kind, isConnected }): StreamState => ({
      kind,
      caller: callerOfOwner(holder),
      ...clientOf(session.client),
      session: session.key,
      isConnected,
    })),
  );
  return [...listening, ...ofSessions];
}

/** What streams and sessions want to hear of. Every session hears of lists, so only streams count for these. */
export function openSubscriptions(
  { sessions, listeners }: Engine,
  registry: ServerRegistry,
): SubscriptionState[] {
  const counts = new Map<string, SubscriptionState>();
  const add = (kind: SubscriptionState['kind'], of: string, more = 1): void => {
    const name = `${kind} ${of}`;
    counts.set(name, { kind, of, count: (counts.get(name)?.count ?? 0) + more });
  };
  // A URI holds the arguments of its template.
  const addResource = (uri: string) => add('resource', addressOf(registry, uri));
  for (const [, { filter }] of listeners) {
    for (const change of filter.changes) add('list', changeNotifications[change].capability);
    for (const uri of filter.resources) addResource(uri);
    if (filter.tasks.size > 0) add('task', 'tasks', filter.tasks.size);
  }
  for (const { session } of sessions) for (const uri of session.subscriptions) addResource(uri);
  return [...counts.values()];
}

function addressOf(registry: ServerRegistry, uri: string): string {
  const { operation } = findResource(registry, uri) ?? {};
  if (!operation) return 'a resource that does not exist';
  return operation.kind === 'resource' ? operation.uri : operation.uriTemplate;
}
