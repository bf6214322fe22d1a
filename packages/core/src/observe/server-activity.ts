import { hash } from 'node:crypto';
import { knownPrincipal, logSafeText } from '@toolwright/ground/base/log';
import type { ClientDescription, RequestContext } from '@toolwright/ground/base/request-context';
import { type Environment, poolsOf } from '@toolwright/ground/call/environment';
import type { OpenCall, WorkingCall } from '@toolwright/ground/call/limits/running-work';
import {
  isAnonymousKey,
  ownerOfCallerKey,
  ownerOfPrincipalKey,
  countedKey,
} from '@toolwright/ground/call/operation/keys';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import type { Registry } from '@toolwright/ground/call/operation/registry';
import { wallTime } from '@toolwright/ground/ports/clock-and-ids';
import type { RateLimiter, RateLimitUse } from '@toolwright/ground/ports/rate-limiter';
import type { TaskAdmin, TaskSummary } from '@toolwright/ground/ports/task-store';
import { networkOf, digest } from '@toolwright/json';
import { RateLimit } from '../policies/rate-limit.js';
import { findForAnybody } from '../requests/lists/find-resource.js';
import type { QuotaOwner } from '../requests/quota-pool.js';
import type { SessionEngine } from '../sessions/open-session.js';
import { changeNotifications } from '../sessions/subscriptions.js';
import type {
  CallState,
  CallerIdentity,
  SessionState,
  StreamState,
  SubscriptionState,
  TaskState,
  LimitState,
  SlotState,
} from './server-state.js';

/** The calls whose work has not ended, the oldest first. */
export function openCalls(environment: Environment): CallState[] {
  return [...environment.work.open()].map((open) => describeCall(open, environment));
}

/** @returns false when no such call waits for its answer */
export function stopCall(environment: Environment, number: number): boolean {
  for (const { work, stop } of environment.work.open())
    if (numberOf(work, environment) === number) return stop();
  return false;
}

function describeCall(
  { work, isAbandoned, began }: OpenCall<WorkingCall>,
  environment: Environment,
): CallState {
  const { operation, request, recorder } = work;
  const since = recorder?.at ?? began;
  return {
    number: numberOf(work, environment),
    kind: operation.kind,
    name: operation.name,
    caller: callerOf(request),
    ...clientOf(request.client),
    revision: request.revision,
    transport: request.transport,
    ...(since !== undefined && { since }),
    phase: isAbandoned ? 'abandoned' : work.isQueued ? 'queued' : 'running',
    isTask: request.task?.started === true,
  };
}

function numberOf(call: WorkingCall, { callListeners }: Environment): number {
  return call.recorder?.number ?? callListeners.numberOf(call);
}

/** The sessions of clients with a handshake, as this process has them. */
export function openSessions({ sessions, host }: SessionEngine): SessionState[] {
  return [...sessions].map(({ session, holder }) => ({
    key: session.key,
    revision: session.revision,
    ...clientOf(session.client),
    caller: callerOfOwner(holder),
    openedAt: session.openedAt,
    usedAt: wallTime(host.clock, session.lastUsed),
    requests: session.running.size,
    streams: session.openedStreams.length,
    subscriptions: session.subscriptions.size,
  }));
}

/** @returns false when this process has no such session */
export async function endSession({ sessions }: SessionEngine, key: string): Promise<boolean> {
  const found = [...sessions].find(({ session }) => session.key === key);
  if (!found) return false;
  await sessions.end(found.session.id);
  return true;
}

export function openStreams({ sessions, listeners }: SessionEngine): StreamState[] {
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
  { sessions, listeners }: SessionEngine,
  registry: Registry,
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

function addressOf(registry: Registry, uri: string): string {
  const [operation] = findForAnybody(registry, uri);
  if (!operation) return 'a resource that does not exist';
  return operation.kind === 'resource' ? operation.uri : operation.uriTemplate;
}

/** The caller of a request. */
function callerOf({ principal, ip }: Pick<RequestContext, 'principal' | 'ip'>): CallerIdentity {
  return knownPrincipal(principal) ?? (ip === undefined ? {} : { address: networkOf(ip) });
}

/** The caller that `callerKey` made this key of. */
function callerOfLimit(key: string): CallerIdentity {
  if (key.startsWith('ip ')) return { address: key.slice('ip '.length) };
  return isAnonymousKey(key) ? {} : ownerOfCallerKey(key);
}

function callerOfOwner({ anonymous, key }: QuotaOwner): CallerIdentity {
  if (!anonymous) return ownerOfPrincipalKey(key);
  return key === '' ? {} : { address: key };
}

/** The client as it calls itself. */
function clientOf({ info }: ClientDescription): { client?: string } {
  return info ? { client: logSafeText(`${info.name} ${info.version}`) } : {};
}

/** How far back an operator can look: a task is found only among this number of the latest ones. */
const REACHED_TASKS = 1_000;

/** The latest tasks of all owners. */
export async function latestTasks(admin: TaskAdmin, most: number): Promise<TaskState[]> {
  return [...(await admin.list(most))].map(describeTask);
}

/** The id of the task with this key. */
export async function findTask(admin: TaskAdmin, key: string): Promise<string | undefined> {
  return (await admin.list(REACHED_TASKS)).find(({ id }) => taskKey(id) === key)?.id;
}

export function taskKey(id: string): string {
  return hash('sha256', id, 'base64url');
}

function describeTask({ id, owner, ...task }: TaskSummary): TaskState {
  const { tool, status, statusMessage, createdAt, updatedAt, isDead, attempt } = task;
  return {
    key: taskKey(id),
    caller: ownerOfPrincipalKey(owner),
    ...(tool !== undefined && { tool }),
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    updatedAt,
    ...(isDead !== undefined && { isDead }),
    ...(attempt !== undefined && { attempt }),
  };
}

/** What an operation is called that the server does not have any more. */
const GONE = 'an operation that is gone';

/** How much of the rate limits callers have used, where the limiters can say it. */
export function usedLimits(environment: Environment, operations: readonly BoundOperation[]): LimitState[] {
  const places = placesOf(environment, operations);
  return limitersOf(environment).flatMap((limiter) =>
    [...(limiter.uses?.() ?? [])].map((use) => ({ ...describe(use.key, places), ...numbersOf(use) })),
  );
}

/**
 * Gives points back.
 *
 * @param key of one limit; default: all
 * @returns how many limits there were
 */
export function resetLimits(environment: Environment, key?: string): number {
  let count = 0;
  for (const limiter of limitersOf(environment)) {
    // The limiter forgets while it is read.
    const uses = limiter.reset ? [...(limiter.uses?.() ?? [])] : [];
    for (const use of uses) {
      if (key !== undefined && keyOf(use) !== key) continue;
      limiter.reset!(use.key, use.rule);
      count++;
    }
  }
  return count;
}

/** The slots that callers hold or wait for. */
export function usedSlots(environment: Environment): SlotState[] {
  return poolsOf(environment).flatMap(([name, pool]) =>
    pool.uses().map(({ key, held, waiting }) => ({
      pool: name,
      caller: callerOfLimit(key),
      limit: Math.min(pool.limits.perKey, pool.limits.perTenant ?? Infinity, pool.limits.total),
      held,
      waiting,
    })),
  );
}

function limitersOf({ localLimiter, limiter }: Environment): readonly RateLimiter[] {
  return limiter ? [localLimiter, limiter.shared] : [localLimiter];
}

/** The beginnings of keys, and whether a caller follows or a text of the application. */
function placesOf(
  { rateLimit }: Environment,
  operations: readonly BoundOperation[],
): ReadonlyMap<string, { readonly isOwn: boolean }> {
  const ofAll = [
    ['operations', { isOwn: false }],
    ['completions', { isOwn: false }],
  ] as const;
  const ofEach = operations.flatMap((operation) => {
    const name = countedKey(operation);
    const { limit = rateLimit } = RateLimit.of(operation)?.options || {};
    return [
      [name, { isOwn: limit?.key !== undefined }],
      [`completion ${name}`, { isOwn: false }],
    ] as const;
  });
  return new Map<string, { isOwn: boolean }>([...ofAll, ...ofEach]);
}

function describe(
  key: string,
  places: ReturnType<typeof placesOf>,
): Pick<LimitState, 'operation' | 'caller'> {
  if (key.startsWith('operations by key ')) return { operation: 'operations by key' };
  for (let at = key.indexOf(' '); at >= 0; at = key.indexOf(' ', at + 1)) {
    const operation = key.slice(0, at);
    const place = places.get(operation);
    if (place) return { operation, ...(!place.isOwn && { caller: callerOfLimit(key.slice(at + 1)) }) };
  }
  return { operation: GONE };
}

function numbersOf(use: RateLimitUse): Omit<LimitState, 'operation' | 'caller'> {
  const { rule, used, resetsAt } = use;
  return { key: keyOf(use), points: rule.points, perMs: rule.perMs, used, resetsAt };
}

function keyOf({ key, rule: { points, perMs } }: RateLimitUse): string {
  return digest([key, points, perMs]);
}
