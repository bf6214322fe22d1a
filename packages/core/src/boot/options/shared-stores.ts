import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { optionProblem } from '../../base/options/parse-options.js';
import type { ServerStores } from '../../ports/server-stores.js';
import { servesStateful } from '../../protocol/protocol-options.js';
import type { ServerOptions } from './server-options.js';

/** The stores of the option `stores`, as one. Of several for the same thing, the last one counts. */
export function storesOf({ stores = [] }: ServerOptions): ServerStores {
  const all = [stores].flat();
  const merged = Object.assign({}, ...all.map(ownStores)) as ServerStores;
  return {
    ...merged,
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
  const { rateLimiter, claims, bus, events, sessions: records, tasks } = stores;
  const { rateLimit, sessions } = options;
  return {
    ...options,
    ...(bus && !options.bus && { bus }),
    ...(rateLimiter && rateLimit !== false && { rateLimit: { limiter: rateLimiter, ...rateLimit } }),
    ...(claims && { requestState: { claims, ...options.requestState } }),
    ...(sessions !== false && {
      sessions: { ...(events && { events }), ...(records && { records }), ...sessions },
    }),
    ...(tasks && { tasks: { store: tasks, ...options.tasks } }),
  };
}

/** What else must be set where processes share something. */
export function findStoreProblems(options: ServerOptions): ConfigurationProblem[] {
  const { stores, requestState, sessions } = options;
  const hasSessions = servesStateful(options) && sessions !== false;
  const secrets = (option: string) =>
    optionProblem({
      message: `createMcpServer: the option "stores" is set, but "${option}" is not, so no other process could open what this one has sealed.`,
      fix: `Set "${option}" to a list with a secret of at least 32 characters, the same for all processes. Read it from the environment. \`openssl rand -base64 32\` makes one.`,
    });
  const problems: ConfigurationProblem[] = [];
  if (stores && !requestState?.secrets) problems.push(secrets('requestState.secrets'));
  if (stores && hasSessions && !(sessions && sessions.secrets)) problems.push(secrets('sessions.secrets'));
  const claims = requestState?.claims ?? storesOf(options).claims;
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

function ownStores({ open: _open, close: _close, health: _health, ...stores }: ServerStores): ServerStores {
  return stores;
}
