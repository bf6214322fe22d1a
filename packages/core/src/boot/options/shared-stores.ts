import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { optionProblem } from '../../base/options/option-schema.js';
import type { ServerStores } from '../../ports/server-stores.js';
import type { TaskQueue } from '../../ports/task-queue.js';
import type { TaskStore } from '../../ports/task-store.js';
import { servesStateful } from '../../protocol/protocol-options.js';
import type { TaskOptions } from '../../tasks/task-options.js';
import type { ServerOptions } from './server-options.js';

/** The stores of the option `stores`, as one. Of several for the same thing, the last one counts. */
export function storesOf({ stores = [] }: ServerOptions): ServerStores {
  const all = [stores].flat();
  const merged = Object.assign({}, ...all.map(ownStores)) as ServerStores;
  const secrets = all.length > 0 && all.every((each) => each.secrets) && all.flatMap((each) => each.secrets!);
  return {
    ...merged,
    ...(secrets && { secrets }),
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

/** The options with every shared store in its place. What the application has put there itself stays. */
export function withStores(options: ServerOptions, stores: ServerStores): ServerOptions {
  const { rateLimiter, claims, bus, events, sessions: records, tasks, secrets } = stores;
  const { rateLimit, sessions } = options;
  return {
    ...options,
    ...(bus && !options.bus && { bus }),
    ...(rateLimiter && rateLimit !== false && { rateLimit: { limiter: rateLimiter, ...rateLimit } }),
    requestState: { ...(claims && { claims }), ...(secrets && { secrets }), ...options.requestState },
    ...(sessions !== false && {
      sessions: {
        ...(events && { events }),
        ...(records && { records }),
        ...(secrets && { secrets }),
        ...sessions,
      },
    }),
    ...(tasks && { tasks: withTaskStore(options.tasks ?? {}, tasks) }),
  };
}

/** A store that is a queue also hands out the work, unless the application says where tasks are kept. */
function withTaskStore(options: TaskOptions, store: TaskStore): TaskOptions {
  if (!isTaskQueue(store)) return { store, ...options };
  return options.store || options.runner ? options : { queue: store, ...options };
}

function isTaskQueue(store: TaskStore): store is TaskQueue {
  return 'enqueue' in store && 'work' in store;
}

/** What else must be set where processes share something. */
export function findStoreProblems(options: ServerOptions): ConfigurationProblem[] {
  const { stores } = options;
  const { requestState, sessions, tasks = {} } = withStores(options, storesOf(options));
  const hasSessions = servesStateful(options) && sessions !== false;
  const secrets = (option: string) =>
    optionProblem({
      message: `createMcpServer: the option "stores" is set, but "${option}" is not, so no other process could open what this one has sealed.`,
      fix: `Set "${option}" to a list with a secret of at least 32 characters, the same for all processes. Read it from the environment. \`openssl rand -base64 32\` makes one.`,
    });
  const problems: ConfigurationProblem[] = [];
  if (stores && !requestState?.secrets) problems.push(secrets('requestState.secrets'));
  if (stores && hasSessions && !(sessions && sessions.secrets)) problems.push(secrets('sessions.secrets'));
  problems.push(...findQueueProblems(tasks));
  const claims = requestState?.claims;
  if (sessions && sessions.secrets && claims && !claims.has)
    problems.push(
      optionProblem({
        message:
          'createMcpServer: "sessions.secrets" is set, but the claim store has no method "has", so nobody could tell which sessions have ended.',
        fix: 'Add has(key) to the claim store, or leave out "sessions.secrets".',
      }),
    );
  return problems;
}

/** What a task queue needs, and what makes no sense beside it. */
function findQueueProblems(tasks: TaskOptions): ConfigurationProblem[] {
  const problem = (message: string, fix: string) =>
    optionProblem({ message: `createMcpServer: ${message}`, fix });
  const { queue, secrets, store, runner, concurrency = 0 } = tasks;
  if (!queue)
    return concurrency > 0
      ? [
          problem(
            '"tasks.concurrency" is set, but there is no task queue, so it would change nothing.',
            'Set "tasks.queue", or leave out "tasks.concurrency": without a queue, tasks run in the process that began them.',
          ),
        ]
      : [];
  const problems: ConfigurationProblem[] = [];
  if (!secrets)
    problems.push(
      problem(
        'there is a task queue, but "tasks.secrets" is not set. The queue is outside of this process, and what a task holds must be sealed there.',
        'Set "tasks.secrets" to a list with a secret of at least 32 characters, the same for all processes. Read it from the environment. `openssl rand -base64 32` makes one.',
      ),
    );
  if (store || runner)
    problems.push(
      problem(
        `"tasks.queue" and "tasks.${store ? 'store' : 'runner'}" are both set, but a queue keeps the tasks and hands out their work itself.`,
        `Leave out "tasks.${store ? 'store' : 'runner'}".`,
      ),
    );
  return problems;
}

function ownStores({
  open: _open,
  close: _close,
  health: _health,
  secrets: _secrets,
  ...stores
}: ServerStores): ServerStores {
  // Claims of a later store take the place of both.
  const { claims, endedSessions } = stores;
  return claims ? { ...stores, endedSessions: endedSessions ?? claims } : stores;
}
