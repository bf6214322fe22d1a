import type { ClaimStore } from './claim-store.js';
import type { Clock } from './clock-and-ids.js';
import type { EventBus } from './event-bus.js';
import type { EventStore } from './event-store.js';
import type { LeaseStore } from './lease-store.js';
import type { Logger } from './logger.js';
import type { RateLimiter } from './rate-limiter.js';
import type { RecordStore } from './record-store.js';
import type { ResultCache } from './result-cache.js';
import type { SessionRecords } from './session-records.js';
import type { TaskStore } from './task-store.js';

/** Whether a store answers at the moment. */
export interface StoreHealth {
  /** The name that operators know it by, such as `redis`. */
  readonly store: string;
  readonly up: boolean;
  /** Since when it is up or away, in milliseconds since the epoch. */
  readonly since: number;
}

/** What a server gives its stores. */
export interface StorePorts {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The stores that all processes of one server share. Each is optional; what is missing stays within the
 * process. `redisStores` and `postgresStores` make such objects.
 */
export interface ServerStores {
  /** Counts the points of rate limits. */
  readonly rateLimiter?: RateLimiter;
  /** Slots of limits on concurrency. */
  readonly leases?: LeaseStore;
  /** Which states of waiting calls were already used, and the like. */
  readonly claims?: ClaimStore;
  /** Which sessions their clients have ended. Default: `claims`. A store whose room is limited keeps them apart. */
  readonly endedSessions?: ClaimStore;
  /** Carries change events between the processes. Default: within this process only. */
  readonly bus?: EventBus;
  /** The messages that were sent on streams, so that clients can resume them. */
  readonly events?: EventStore;
  /** What clients ask for in their sessions: log levels and subscriptions. */
  readonly sessions?: SessionRecords;
  readonly cache?: ResultCache;
  /** What packages keep: API keys, and questions that a person answers on a page. */
  readonly records?: RecordStore;
  /**
   * Keeps the tasks. A queue (`postgresTasks`) also hands out their work, so that they survive their process. Default:
   * in memory, with at most 1,000 tasks for each principal, 10,000 for all principals, and 1,000 for all anonymous
   * callers together.
   */
  readonly tasks?: TaskStore;
  /**
   * The secrets with which the processes on these stores seal, so that no option has to name them. They are used
   * where each of the `stores` that needs secrets has some. The option `secrets` comes first.
   */
  readonly secrets?: readonly string[];
  /**
   * True where every request may reach any process, and nothing can bring a client back to the one that it had.
   * What would live in one process is then a problem at boot (`TW_PROCESS_BOUND`).
   */
  readonly anyProcess?: boolean;
  /**
   * Connects. The server calls it once, while it boots, and waits for it. A store that is away is not an error:
   * `health` says so until it answers.
   *
   * @throws {ConfigurationError} when the options can never work, such as an address that cannot be read
   */
  open?(ports: StorePorts): void | Promise<void>;
  /** Ends all connections. The server calls it when it has drained. */
  close?(): void | Promise<void>;
  /** Whether the stores answer. It is read often, so it sends no request: the connections know. */
  health?(): readonly StoreHealth[];
}
