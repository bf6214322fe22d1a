import { withDefaults, type OptionSchema } from '@toolwright/ground/base/options/option-schema';
import type { Duration } from '@toolwright/ground/base/options/option-schema';
import {
  count,
  durationFromZero,
  either,
  flag,
  group,
  duration,
  named,
  no,
  oneOf,
  positiveCount,
} from '@toolwright/ground/base/options/rules';
import { admits } from '../requests/quota-pool.js';
import {
  resolveSessions,
  sessionOptions,
  type SessionOptions,
  type SessionSettings,
} from '../sessions/session-options.js';
import { resolveTasks, taskOptions, type TaskOptions, type TaskSettings } from '../tasks/task-options.js';

export interface RequestStateOptions {
  /** How long a client has to come back. Default 10 minutes. More than 0. */
  lifetime?: Duration;
}

/** How lists of tools, prompts and resources are answered. */
export interface ListOptions {
  /** How many definitions a page of a list has. Default 100. */
  pageSize?: number;
  /** How long clients may keep lists (2026-07-28). Default 0. 0: they ask again each time. */
  ttl?: Duration;
  /**
   * Publishes schemas in a form that all known clients can read. `$ref`s are replaced by what they refer to,
   * unless it refers to itself. The root of an input has no choice between alternatives. `null` is left out
   * where it only means that a value may be missing. Arguments are always validated against the natural
   * schema. Default true.
   */
  clientSafe?: boolean;
  /**
   * `short`: words or a format stand for the long patterns of validators, such as that of `@IsUrl`. Arguments are
   * checked against the patterns all the same. `all`: the lists have each pattern. Default `short`.
   */
  patterns?: 'short' | 'all';
}

/** How many `subscriptions/listen` streams may be open (2026-07-28). */
export interface SubscriptionOptions {
  /**
   * How many streams all principals together may have open. Default 1,024. 0 means that principals hear of no changes, and
   * anonymous callers do not either, unless `maxAnonymous` is given.
   */
  max?: number;
  /** How many streams one principal may have open. Default 64. */
  maxPerPrincipal?: number;
  /**
   * How many streams the principals of one tenant may have open, in each process. A principal without a tenant counts as
   * one. Default: no limit.
   */
  maxPerTenant?: number;
  /**
   * How many streams all anonymous callers together may have open. They are counted separately: anonymous callers and
   * principals never take a place from each other. When there are too many, the address with the most streams loses
   * one to an address that has fewer. Default: the value of `max`.
   */
  maxAnonymous?: number;
}

/** How the server speaks the protocol. */
export interface ProtocolOptions {
  /** Serves the revisions before 2026-07-28, which start with a handshake. Default true. */
  stateful?: boolean;
  /**
   * The sessions of those revisions over HTTP. `false`: there are no sessions, and each request is handled on
   * its own.
   */
  sessions?: SessionOptions | false;
  /** The pages of lists, their schemas, and how long clients may keep them. */
  lists?: ListOptions;
  /**
   * Options for calls that wait for their client. Such a call hands out a sealed state and takes it back
   * (2026-07-28).
   */
  requestState?: RequestStateOptions;
  /**
   * How many `subscriptions/listen` streams may be open. `false`: clients of no revision hear of changes. This is for
   * places that end every response soon, such as AWS Lambda. Capabilities then have neither `listChanged` nor
   * `subscribe`, and the methods that subscribe are answered with -32601.
   */
  subscriptions?: SubscriptionOptions | false;
  /** Options for tasks (2026-07-28). */
  tasks?: TaskOptions;
}

/** The options after their defaults were filled in. */
export interface ProtocolSettings {
  stateful: boolean;
  sessions: SessionSettings | undefined;
  lists: { pageSize: number; ttl: number; clientSafe: boolean; patterns: 'short' | 'all' };
  stateTtlMs: number;
  subscriptions: Required<Omit<SubscriptionOptions, 'maxPerTenant'>> &
    Pick<SubscriptionOptions, 'maxPerTenant'>;
  sendsChanges: boolean;
  tasks: TaskSettings;
}

const TEN_MINUTES = 600_000;

/** The default of `lists.pageSize`. */
export const DEFAULT_PAGE_SIZE = 100;

const NO_STREAMS: SubscriptionOptions = { max: 0, maxAnonymous: 0 };

const requestStateOptions = {
  lifetime: { ...duration, default: TEN_MINUTES },
} satisfies OptionSchema<RequestStateOptions>;

const listOptions = {
  pageSize: { ...positiveCount, default: DEFAULT_PAGE_SIZE },
  ttl: { ...durationFromZero, default: 0 },
  clientSafe: { ...flag, default: true },
  patterns: { ...oneOf('short', 'all'), default: 'short' },
} satisfies OptionSchema<ListOptions>;

const streams = named('a number of streams', count);

const subscriptionOptions = {
  max: { ...streams, default: 1024 },
  maxPerPrincipal: { ...streams, default: 64 },
  maxPerTenant: named('a number of streams', positiveCount),
  maxAnonymous: streams,
} satisfies OptionSchema<SubscriptionOptions>;

export const protocolOptions = {
  stateful: flag,
  sessions: either(group(sessionOptions), no),
  lists: group(listOptions),
  requestState: group(requestStateOptions),
  subscriptions: either(group(subscriptionOptions), no),
  tasks: group(taskOptions),
} satisfies OptionSchema<ProtocolOptions>;

/** True when the revisions that start with a handshake are served. */
export function servesStateful({ stateful = true }: ProtocolOptions): boolean {
  return stateful;
}

export function resolveOptions(options: ProtocolOptions): ProtocolSettings {
  const { sessions = {}, lists = {}, requestState = {}, tasks = {} } = options;
  const { maxAnonymous, ...open } = withDefaults(
    subscriptionOptions,
    options.subscriptions === false ? NO_STREAMS : (options.subscriptions ?? {}),
  );
  const subscriptions = { ...open, maxAnonymous: maxAnonymous ?? open.max };
  const state = withDefaults(requestStateOptions, requestState);
  return {
    stateful: servesStateful(options),
    sessions: sessions ? resolveSessions(sessions) : undefined,
    lists: withDefaults(listOptions, lists),
    stateTtlMs: state.lifetime,
    subscriptions,
    sendsChanges: [true, false].some((anonymous) => admits(subscriptions, { anonymous })),
    tasks: resolveTasks(tasks),
  };
}
