import { randomBytes } from 'node:crypto';
import { withDefaults, type OptionSchema } from '../base/options/option-schema.js';
import {
  count,
  either,
  filledText,
  flag,
  group,
  listOf,
  milliseconds,
  named,
  no,
  nothing,
  objectWith,
  oneOf,
  positiveCount,
  secret,
} from '../base/options/rules.js';
import type { ClaimStore } from '../ports/claim-store.js';
import type { EventStore } from '../ports/event-store.js';
import type { SessionRecords } from '../ports/session-records.js';
import type { TaskRunner } from '../ports/task-runner.js';
import type { TaskStore } from '../ports/task-store.js';

export interface SessionOptions {
  /**
   * How many sessions of principals are kept at a time. When there are too many, the one that was unused for
   * longest is ended. Default 10,000.
   */
  max?: number;
  /**
   * How many sessions one principal may have at a time. A principal over its limit loses its own session that
   * was unused for longest. Default 1,000.
   */
  maxPerPrincipal?: number;
  /**
   * How many sessions of anonymous callers are kept at a time. They are counted apart from those of
   * principals: neither kind takes a place from the other. When there are too many, the address with the most
   * sessions loses the one that was unused for longest. Default: the value of `max`.
   */
  maxAnonymous?: number;
  /** After how many milliseconds without use a session ends. Default 30 minutes. */
  idleMs?: number;
  /**
   * Keeps the messages that were sent on streams, so that a client can resume a stream. Default: in memory.
   * `false`: streams cannot be resumed.
   */
  events?: EventStore | false;
  /**
   * Secrets of at least 32 characters each. With them, the id of a session is sealed and carries the
   * handshake: every process with the secrets can serve the session, and so can a process that is started
   * later. The first secret seals new ids; each of them can open an id, so that you can replace secrets step
   * by step. Use others than for `requestState`. Default: none; a session then lives and ends with its
   * process.
   */
  secrets?: readonly string[];
  /**
   * How many milliseconds a sealed id is accepted, however much the session is used. Default 24 hours. After
   * `idleMs` without use, such a session only leaves the memory of its process.
   */
  lifetimeMs?: number;
  /**
   * What a process does with the session of another process while the claim store (`requestState.claims`, or
   * `stores`) does not answer: it cannot know whether the client has ended the session. `'read'` (default)
   * serves everything but tools without `readOnlyHint`. `'refuse'` answers 503.
   */
  whenUnverified?: 'read' | 'refuse';
  /**
   * Keeps what clients ask for in their sessions: log levels and subscriptions. It is only used with
   * `secrets`. Default: in memory, so that they are lost with their process.
   */
  records?: SessionRecords;
  /** How many milliseconds a client has to answer a request of the server. Default 10 minutes. */
  answerMs?: number;
  /**
   * On 2025-11-25: after how many milliseconds a running call lets go of its connection. The client comes
   * back for the result with `Last-Event-ID`. This is for proxies that cut long responses. Use it only when
   * you know the clients: a client that does not come back waits for its answer for ever, and the server
   * cannot recognise such a client beforehand. Default: never.
   */
  pollAfterMs?: number;
}

/** Options for calls that run on after their request is answered (the Tasks extension). */
export interface TaskOptions {
  /**
   * Keeps the tasks. Default: in memory, with at most 1,000 tasks for each principal, 10,000 for all
   * principals, and 1,000 for all anonymous callers together.
   */
  store?: TaskStore;
  /** Runs the tasks. Default: this process. */
  runner?: TaskRunner;
  /**
   * How many milliseconds a task and its result are kept, counted from its start. A task that still runs then
   * is stopped. `null`: they are kept as long as the store lives. Default one hour.
   */
  ttlMs?: number | null;
  /** How often clients should ask about a task, in milliseconds. Default 1,000. */
  pollIntervalMs?: number;
  /**
   * The names of the claims that a task keeps of its caller, for runners that keep tasks outside of the
   * process. Default: none.
   */
  claims?: readonly string[];
}

export interface RequestStateOptions {
  /**
   * Secrets of at least 32 characters each. The first one seals new states; each of them can open a state, so
   * that you can replace secrets step by step. All processes that serve one endpoint need the same secrets.
   * Default: a random secret, for this process only.
   */
  secrets?: readonly string[];
  /** How many milliseconds a client has to come back. Default 10 minutes. */
  ttlMs?: number;
  /** Remembers which states were already used. Default: in memory. */
  claims?: ClaimStore;
}

/** How the server speaks the protocol. */
export interface ProtocolOptions {
  /** Serves the revisions before 2026-07-28, which start with a handshake. Default true. */
  stateful?: boolean;
  /** @deprecated Use `stateful`. It goes with 0.3. */
  legacy?: boolean;
  /**
   * The sessions of those revisions over HTTP. `false`: there are no sessions, and each request is handled on
   * its own.
   */
  sessions?: SessionOptions | false;
  /** How many definitions a page of a list has. Default 100. */
  pageSize?: number;
  /**
   * Publishes schemas in a form that all known clients can read. `$ref`s are replaced by what they refer to,
   * unless it refers to itself. The root of an input has no choice between alternatives. `null` is left out
   * where it only means that a value may be missing. Arguments are always validated against the natural
   * schema. Default true.
   */
  clientSafe?: boolean;
  /** How long clients may keep lists, in milliseconds (2026-07-28). Default 0. */
  listTtlMs?: number;
  /**
   * Options for calls that wait for their client. Such a call hands out a sealed state and takes it back
   * (2026-07-28).
   */
  requestState?: RequestStateOptions;
  /**
   * How many `subscriptions/listen` streams all principals together may have open (2026-07-28). Default
   * 1,024.
   */
  maxSubscriptions?: number;
  /** How many `subscriptions/listen` streams one principal may have open. Default 64. */
  maxSubscriptionsPerPrincipal?: number;
  /**
   * How many `subscriptions/listen` streams all anonymous callers together may have open. They are counted
   * apart from those of principals: neither kind takes a place from the other. When there are too many, the
   * address with the most streams loses one to an address that has fewer. Default: the value of
   * `maxSubscriptions`.
   */
  maxAnonymousSubscriptions?: number;
  /** Options for tasks (2026-07-28). */
  tasks?: TaskOptions;
}

export type TaskSettings = Required<Pick<TaskOptions, 'ttlMs' | 'pollIntervalMs' | 'claims'>>;

export interface SessionSettings extends Required<
  Omit<SessionOptions, 'events' | 'records' | 'pollAfterMs' | 'secrets'>
> {
  pollAfterMs: number | undefined;
  secrets: readonly string[] | undefined;
}

/** The options after their defaults were filled in. */
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
const ONE_DAY = 24 * ONE_HOUR;

const store = (name: string, ...methods: string[]) =>
  objectWith(`a ${name} with ${methods.join(', ')}`, ...methods);

const secrets = secret({
  expected: 'a list of at least one string of 32 characters or more',
  accepts: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => typeof each === 'string' && each.length >= 32),
});

const sessionOptions = {
  max: { ...named('a number of sessions', count), default: 10_000 },
  maxPerPrincipal: { ...named('a number of sessions', count), default: 1_000 },
  maxAnonymous: named('a number of sessions', count),
  idleMs: { ...milliseconds, default: 3 * TEN_MINUTES },
  events: either(store('store', 'append', 'after', 'drop'), no),
  secrets,
  lifetimeMs: { ...milliseconds, default: ONE_DAY },
  whenUnverified: { ...oneOf('read', 'refuse'), default: 'read' },
  records: store('store', 'get', 'set', 'delete'),
  answerMs: { ...milliseconds, default: TEN_MINUTES },
  pollAfterMs: milliseconds,
} satisfies OptionSchema<SessionOptions>;

const taskOptions = {
  store: store('store', 'create', 'get', 'note', 'ask', 'answer', 'end'),
  runner: store('runner', 'serve', 'start', 'drain'),
  ttlMs: { ...either(milliseconds, nothing), default: ONE_HOUR },
  pollIntervalMs: { ...milliseconds, default: 1_000 },
  claims: { ...listOf('a list of names', filledText), default: [] },
} satisfies OptionSchema<TaskOptions>;

const requestStateOptions = {
  secrets,
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

/** True when the revisions that start with a handshake are served. */
export function servesStateful({ stateful, legacy = true }: ProtocolOptions): boolean {
  return stateful ?? legacy;
}

export function resolveOptions(options: ProtocolOptions): ProtocolSettings {
  const { sessions = {}, requestState = {}, tasks = {} } = options;
  const { pageSize, clientSafe, listTtlMs, ...streams } = withDefaults(protocolOptions, options);
  const { maxSubscriptions, maxSubscriptionsPerPrincipal } = streams;
  const state = withDefaults(requestStateOptions, requestState);
  const { ttlMs, pollIntervalMs, claims } = withDefaults(taskOptions, tasks);
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
    tasks: { ttlMs, pollIntervalMs, claims },
  };
}

function resolveSessions(options: SessionOptions): SessionSettings {
  const {
    events,
    records: _records,
    pollAfterMs,
    maxAnonymous,
    secrets,
    ...settings
  } = withDefaults(sessionOptions, options);
  return {
    ...settings,
    secrets,
    maxAnonymous: maxAnonymous ?? settings.max,
    // Without stored events, a client would find nothing when it comes back.
    pollAfterMs: events === false ? undefined : pollAfterMs,
  };
}
