import { randomBytes } from 'node:crypto';
import { withDefaults, type OptionSchema } from '../base/options/option-schema.js';
import {
  count,
  either,
  flag,
  group,
  milliseconds,
  named,
  no,
  nothing,
  objectWith,
  positiveCount,
  secret,
} from '../base/options/rules.js';
import type { ClaimStore } from '../ports/claim-store.js';
import type { EventStore } from '../ports/event-store.js';
import type { TaskRunner } from '../ports/task-runner.js';
import type { TaskStore } from '../ports/task-store.js';

export interface SessionOptions {
  /** Sessions of principals kept at a time; the longest unused one gives way. Default 10,000. */
  max?: number;
  /** Sessions that one principal keeps at a time; its own longest unused one gives way. Default 1,000. */
  maxPerPrincipal?: number;
  /**
   * Sessions of anonymous callers kept at a time, beside those of principals: neither takes a place from the other. When
   * there are too many, the address that has the most loses its longest unused one. Default: as `max`.
   */
  maxAnonymous?: number;
  /** Milliseconds after which an unused session ends. Default 30 minutes. */
  idleMs?: number;
  /** Keeps what was sent on streams, so that a client can resume one. In memory by default; false: no resuming. */
  events?: EventStore | false;
  /** Milliseconds a client has to answer a request of the server. Default 10 minutes. */
  answerMs?: number;
  /**
   * On 2025-11-25, milliseconds after which a call that still runs lets go of its connection: the client comes back for
   * the result with `Last-Event-ID`. For proxies that cut long responses, and where you know the clients: one that does
   * not come back waits for its answer for ever, and nothing tells it apart beforehand. Default: never.
   */
  pollAfterMs?: number;
}

/** Calls that run on after their request is answered (the Tasks extension). */
export interface TaskOptions {
  /** Where tasks are kept. Default: in memory, 1,000 of one principal, 10,000 of all, and 1,000 of anonymous callers. */
  store?: TaskStore;
  /** What runs them. Default: this process. */
  runner?: TaskRunner;
  /**
   * Milliseconds from its beginning for which a task and its result are kept; a task that still runs then is stopped.
   * Null: for as long as the store lives. Default one hour.
   */
  ttlMs?: number | null;
  /** How often clients are told to ask how a task is, in milliseconds. Default 1,000. */
  pollIntervalMs?: number;
}

export interface RequestStateOptions {
  /**
   * Secrets of at least 32 characters: the first seals, all open, so that they can be rotated. Give the same to all
   * processes that serve one endpoint. Default: random, for this process alone.
   */
  secrets?: readonly string[];
  /** Milliseconds a client has to come back. Default 10 minutes. */
  ttlMs?: number;
  /** Remembers which states were used. In memory by default. */
  claims?: ClaimStore;
}

/** How the protocol is served. */
export interface ProtocolOptions {
  /** Serve the revisions before 2026-07-28, which open with a handshake. Default true. */
  stateful?: boolean;
  /** @deprecated Use `stateful`. It goes with 0.3. */
  legacy?: boolean;
  /** Sessions of those revisions over HTTP; false: each of their requests stands alone. */
  sessions?: SessionOptions | false;
  /** Definitions per page of a list. Default 100. */
  pageSize?: number;
  /**
   * Publish schemas in a form that all known clients can read: `$ref`s inlined where they do not recur, no choice at the
   * root of an input, no null where it only means "left out". Arguments are validated by the natural schema either way.
   * Default true.
   */
  clientSafe?: boolean;
  /** How long clients may keep lists, in milliseconds (2026-07-28). Default 0. */
  listTtlMs?: number;
  /** What a call that waits for its client hands out and takes back (2026-07-28). */
  requestState?: RequestStateOptions;
  /** `subscriptions/listen` streams of principals open at a time (2026-07-28). Default 1,024. */
  maxSubscriptions?: number;
  /** Those of one principal. Default 64. */
  maxSubscriptionsPerPrincipal?: number;
  /**
   * Those of anonymous callers, beside the streams of principals: neither takes a place from the other. When there are
   * too many, the address that has the most gives one up to an address that has fewer. Default: as `maxSubscriptions`.
   */
  maxAnonymousSubscriptions?: number;
  /** Tasks (2026-07-28). */
  tasks?: TaskOptions;
}

export type TaskSettings = Required<Pick<TaskOptions, 'ttlMs' | 'pollIntervalMs'>>;

export interface SessionSettings extends Required<Omit<SessionOptions, 'events' | 'pollAfterMs'>> {
  pollAfterMs: number | undefined;
}

/** The options with their defaults in place. */
export interface ProtocolSettings {
  stateful: boolean;
  sessions: SessionSettings | undefined;
  pageSize: number;
  clientSafe: boolean;
  listTtlMs: number;
  stateSecrets: readonly string[];
  stateTtlMs: number;
  maxSubscriptions: number;
  maxSubscriptionsPerPrincipal: number;
  maxAnonymousSubscriptions: number;
  tasks: TaskSettings;
}

const TEN_MINUTES = 600_000;
const ONE_HOUR = 3_600_000;

const store = (name: string, ...methods: string[]) =>
  objectWith(`a ${name} with ${methods.join(', ')}`, ...methods);

const sessionOptions = {
  max: { ...named('a number of sessions', count), default: 10_000 },
  maxPerPrincipal: { ...named('a number of sessions', count), default: 1_000 },
  maxAnonymous: named('a number of sessions', count),
  idleMs: { ...milliseconds, default: 3 * TEN_MINUTES },
  events: either(store('store', 'append', 'after', 'drop'), no),
  answerMs: { ...milliseconds, default: TEN_MINUTES },
  pollAfterMs: milliseconds,
} satisfies OptionSchema<SessionOptions>;

const taskOptions = {
  store: store('store', 'create', 'get', 'note', 'ask', 'answer', 'end'),
  runner: store('runner', 'start', 'drain'),
  ttlMs: { ...either(milliseconds, nothing), default: ONE_HOUR },
  pollIntervalMs: { ...milliseconds, default: 1_000 },
} satisfies OptionSchema<TaskOptions>;

const requestStateOptions = {
  secrets: secret({
    expected: 'a list of at least one string of 32 characters or more',
    accepts: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((each) => typeof each === 'string' && each.length >= 32),
  }),
  ttlMs: { ...milliseconds, default: TEN_MINUTES },
  claims: store('store', 'claim', 'release'),
} satisfies OptionSchema<RequestStateOptions>;

export const protocolOptions = {
  stateful: flag,
  legacy: flag,
  sessions: either(group(sessionOptions), no),
  pageSize: { ...positiveCount, default: 100 },
  clientSafe: { ...flag, default: true },
  listTtlMs: { ...named('milliseconds', count), default: 0 },
  requestState: group(requestStateOptions),
  maxSubscriptions: { ...named('a number of streams', count), default: 1024 },
  maxSubscriptionsPerPrincipal: { ...named('a number of streams', count), default: 64 },
  maxAnonymousSubscriptions: named('a number of streams', count),
  tasks: group(taskOptions),
} satisfies OptionSchema<ProtocolOptions>;

/** Whether the revisions that open with a handshake are served. */
export function servesStateful({ stateful, legacy = true }: ProtocolOptions): boolean {
  return stateful ?? legacy;
}

export function resolveOptions(options: ProtocolOptions): ProtocolSettings {
  const { sessions = {}, requestState = {}, tasks = {} } = options;
  const { pageSize, clientSafe, listTtlMs, ...streams } = withDefaults(protocolOptions, options);
  const { maxSubscriptions, maxSubscriptionsPerPrincipal } = streams;
  const state = withDefaults(requestStateOptions, requestState);
  const { ttlMs, pollIntervalMs } = withDefaults(taskOptions, tasks);
  return {
    stateful: servesStateful(options),
    sessions: sessions ? resolveSessions(sessions) : undefined,
    pageSize,
    clientSafe,
    listTtlMs,
    stateSecrets: state.secrets ?? [randomBytes(32).toString('hex')],
    stateTtlMs: state.ttlMs,
    maxSubscriptions,
    maxSubscriptionsPerPrincipal,
    maxAnonymousSubscriptions: streams.maxAnonymousSubscriptions ?? maxSubscriptions,
    tasks: { ttlMs, pollIntervalMs },
  };
}

function resolveSessions(options: SessionOptions): SessionSettings {
  const { events, pollAfterMs, maxAnonymous, ...settings } = withDefaults(sessionOptions, options);
  return {
    ...settings,
    maxAnonymous: maxAnonymous ?? settings.max,
    // Without stored events there would be nothing to come back for.
    pollAfterMs: events === false ? undefined : pollAfterMs,
  };
}
