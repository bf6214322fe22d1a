import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import {
  type OptionRule,
  type OptionSchema,
  findOptionProblems,
  optionProblem,
} from '@toolwright/ground/base/options/option-schema';
import {
  anyObject,
  callback,
  flag,
  objectWith,
  recordStore,
  secrets,
  storeWith,
} from '@toolwright/ground/base/options/rules';
import type { ServerStores } from '@toolwright/ground/ports/server-stores';
import type { TaskStore } from '@toolwright/ground/ports/task-store';
import type { CarryingStore } from '../../tasks/task-carrier.js';
import { servesStateful } from '../../protocol/protocol-options.js';
import type { ServerOptions } from './server-options.js';

const taskStore = storeWith('create', 'get', 'note', 'ask', 'answer', 'end');

const storeOptions = {
  rateLimiter: objectWith('a rate limiter with consume', 'consume'),
  leases: storeWith('acquire'),
  claims: storeWith('claim', 'release'),
  endedSessions: storeWith('claim', 'release'),
  bus: objectWith('an event bus with publish and subscribe', 'publish', 'subscribe'),
  events: storeWith('append', 'after', 'drop'),
  sessions: storeWith('get', 'set', 'delete'),
  cache: storeWith('get', 'set'),
  records: recordStore,
  tasks: {
    expected: `${taskStore.expected}; a queue extends TaskQueue of @toolwright/queue`,
    accepts: (value) =>
      taskStore.accepts(value) && (!('enqueue' in (value as object)) || isCarrying(value as TaskStore)),
  },
  secrets,
  anyProcess: flag,
  open: callback,
  close: callback,
  health: callback,
} satisfies OptionSchema<ServerStores>;

/** Stores, as a literal or as an instance of a class. An instance may have more members than stores. */
export const stores: OptionRule = {
  expected: anyObject.expected,
  accepts: anyObject.accepts,
  inside(value, place) {
    const isLiteral = Object.getPrototypeOf(value) === Object.prototype;
    return findOptionProblems(storeOptions, isLiteral ? value : onlyStores(value as object), place);
  },
};

function onlyStores(instance: object): object {
  const given = instance as Record<string, unknown>;
  return Object.fromEntries(Object.keys(storeOptions).map((name) => [name, given[name]]));
}

/** The stores of the option `stores`, as one. Of several for the same thing, the last one counts. */
export function storesOf(given: ServerOptions['stores'] = []): ServerStores {
  const all = [given].flat();
  return {
    ...(Object.assign({}, ...all.map(ownStores)) as ServerStores),
    anyProcess: all.some(({ anyProcess }) => anyProcess),
    async open(ports) {
      await Promise.all(all.map(async (each) => each.open?.(ports)));
    },
    async close() {
      await Promise.all(all.map(async (each) => each.close?.()));
    },
    health: () => all.flatMap((each) => each.health?.() ?? []),
  };
}

function ownStores({ open: _open, close: _close, health: _health, secrets: _, ...own }: ServerStores) {
  // Claims of a later store take the place of both.
  const { claims, endedSessions } = own;
  return claims ? { ...own, endedSessions: endedSessions ?? claims } : own;
}

/** The secrets that the stores bring, if all that need some do. */
export function secretsOf(given: ServerOptions['stores'] = []): readonly string[] | undefined {
  const sealed = [given].flat().filter(needsSecrets);
  const brought = sealed.every((each) => each.secrets) && sealed.flatMap((each) => each.secrets!);
  return brought && brought.length > 0 ? brought : undefined;
}

/**
 * The stores that are of no use to other processes without common secrets. A bus, a limiter and a task store work
 * without: what passes through them is not sealed, or is read by this process alone.
 */
function needsSecrets({ secrets, claims, endedSessions, leases, sessions, cache, tasks }: ServerStores) {
  const parts = [secrets, claims, endedSessions, leases, sessions, cache];
  return parts.some((part) => part !== undefined) || isCarrying(tasks);
}

/** The tasks of the stores, if they also hand out their work. */
export function queueOf({ tasks }: ServerStores): CarryingStore | undefined {
  return isCarrying(tasks) ? tasks : undefined;
}

function isCarrying(store: ServerStores['tasks']): store is CarryingStore {
  return store !== undefined && 'carry' in store;
}

const MAKE_SECRETS =
  'Set "secrets" to a list with a secret of at least 32 characters, the same for all processes. Read it from the environment. `openssl rand -base64 32` makes one.';

/** What else must be set where processes share something. */
export function* findStoreProblems(options: ServerOptions): Generator<ConfigurationProblem> {
  const stores = storesOf(options.stores);
  const { claims, endedSessions = claims } = stores;
  const hasSessions = servesStateful(options) && options.sessions !== false;
  const given = options.secrets ?? secretsOf(options.stores);
  const queue = queueOf(stores);
  if (!given && queue)
    yield problem(
      'there is a task queue, but "secrets" is not set. The queue is outside of this process, and what a task holds must be sealed there.',
      MAKE_SECRETS,
    );
  else if (!given && [options.stores ?? []].flat().some(needsSecrets))
    yield problem(
      'the option "stores" is set, but "secrets" is not, so no other process could open what this one has sealed.',
      MAKE_SECRETS,
    );
  if (given && hasSessions && endedSessions && !endedSessions.has)
    yield problem(
      '"secrets" is set, but the claim store has no method "has", so nobody could tell which sessions have ended.',
      'Add has(key) to the claim store, or set "sessions" to false.',
    );
  if (!queue && (options.tasks?.concurrency ?? 0) > 0)
    yield problem(
      '"tasks.concurrency" is set, but there is no task queue, so it would change nothing.',
      'Set "stores.tasks" to a queue, or leave out "tasks.concurrency": without a queue, tasks run in the process that began them.',
    );
}

function problem(message: string, fix: string): ConfigurationProblem {
  return optionProblem({ message: `createMcpServer: ${message}`, fix });
}
