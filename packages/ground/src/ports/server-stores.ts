import type { MaybePromise } from '@toolwright/json';
import type { Duration, OptionRule } from '../base/options/option-schema.js';
import { duration, durationThat, positiveCount } from '../base/options/rules.js';
import type { ClaimStore, LeaseStore } from './claim-store.js';
import type { Clock } from './clock-and-ids.js';
import type { EventBus } from './event-bus.js';
import type { EventStore } from './event-store.js';
import type { Logger } from './logger.js';
import { type RateLimiter, STORE_TIMEOUT_MS } from './rate-limiter.js';
import type { RecordStore, SessionRecords } from './record-store.js';
import type { ResultCache } from './result-cache.js';
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

/** What bounds a store that processes share. */
export interface StoreBounds {
  /**
   * After how long the concurrency slots are free again of a process that was killed, or whose event loop is blocked.
   * Default 15 seconds, at least 100 ms. 0 is refused.
   */
  lease?: Duration;
  /** How many events of one session are kept for resuming. Default 256. */
  maxEvents?: number;
  /** How many bytes the events of one session may have together, without the newest. Default 1 MiB. */
  maxEventBytes?: number;
  /** How long the events of a session are kept. Default 1 hour. More than 0. */
  eventTtl?: Duration;
  /**
   * How long a call may wait for its rate limit and its slot. Limits are exact over all processes as long as answers come in this
   * time; after it, the process counts alone (see `docs/fleet.md`). Default 50 ms in Redis, 500 ms in PostgreSQL. More than 0,
   * at most a minute.
   */
  patience?: Duration;
  /** Cached results with more bytes are not stored. Default 1 MiB. */
  maxCachedBytes?: number;
}

const MEBIBYTE = 1_048_576;

/** The rules of `StoreBounds`. */
export const storeBounds: Readonly<Record<keyof StoreBounds, OptionRule & { readonly default: number }>> = {
  lease: {
    ...durationThat('a duration from 100 ms on', (ms) => ms >= 100 && Number.isFinite(ms)),
    default: 15_000,
  },
  maxEvents: { ...positiveCount, default: 256 },
  maxEventBytes: { ...positiveCount, default: MEBIBYTE },
  eventTtl: { ...duration, default: 3_600_000 },
  patience: {
    ...durationThat('a duration of a minute at most', (ms) => ms > 0 && ms <= 60_000),
    default: STORE_TIMEOUT_MS,
  },
  maxCachedBytes: { ...positiveCount, default: MEBIBYTE },
};

/** Whom personal data is about: a person or a program, as its issuer names it. */
export interface DataSubject {
  /** `undefined` for callers whose authentication names no issuer. */
  readonly issuer: string | undefined;
  readonly subject: string;
}

/** Whose data it is. */
export type DataOwner = DataSubject | { readonly tenant: string };

/** Plain JSON, without secrets: no key, token or session id. */
export type SubjectFinding = Readonly<Record<string, unknown>>;

/** One kind of what a server keeps for people, programs and tenants. */
export interface SubjectRecords {
  /** What it is, such as `api keys`. Exports have it as the name of a list. */
  readonly kind: string;
  /** Why these records cannot be found by tenant. Without it, they can. */
  readonly noTenants?: string;
  /**
   * Yields each record of the owner, and `undefined` for each one that nobody could read, so that it is not known whose
   * it is. A tenant may have more records than memory holds, so they come one after the other.
   */
  find(owner: DataOwner): AsyncIterable<SubjectFinding | undefined>;
  /** @returns how many records are gone */
  erase(owner: DataOwner): Promise<number>;
}

/** Where a package finds what it has kept. */
export interface SubjectPlace {
  /** The stores of the app, open. What one of them lacks, another may have. */
  readonly stores: readonly ServerStores[];
  /** The secrets of the server, with which it seals. */
  readonly secrets: readonly string[];
  /** The address of the PostgreSQL of the app, if it has one. */
  readonly database: string | undefined;
  /** The schema of the records of tasks. */
  readonly taskSchema: string | undefined;
  /** The name of the server. What a task says is sealed for it, so without the name it is left out. */
  readonly server: string | undefined;
  /** The issuer of the app's own authorization proxy, if it has one. */
  readonly proxy: string | undefined;
}

/** What a package exports as `subjectSource`, so that operators find all that it has kept about a subject. */
export interface SubjectSource {
  open(place: SubjectPlace): MaybePromise<OpenSubjectSource>;
}

export interface OpenSubjectSource {
  readonly records: readonly SubjectRecords[];
  /** What the package may have kept beside these records, and why it is not found. People read it. */
  readonly unsearched?: readonly string[];
  close?(): MaybePromise<void>;
}
