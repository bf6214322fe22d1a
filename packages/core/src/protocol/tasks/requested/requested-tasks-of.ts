import type { Principal } from '../../../base/request-context.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import type { Features } from '../../revisions/features.js';
import type { Tasks } from '../tasks.js';

/**
 * The capability `tasks` of 2025-11-25. Anonymous callers are one owner to the server, so they get no list: it
 * would show everybody the ids of all.
 */
export function requestedTasksOf(
  { areOffered, store }: Tasks,
  { requestedTasks }: Features,
  principal: Principal | undefined,
): { tasks?: JsonObject } {
  if (!requestedTasks || !areOffered) return {};
  const list = principal && store.list ? { list: {} } : {};
  return { tasks: { ...list, cancel: {}, requests: { tools: { call: {} } } } };
}
