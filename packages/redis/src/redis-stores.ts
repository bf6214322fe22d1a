import {
  type ServerStores,
  type StoreHealth,
  type StorePorts,
  monotonic,
  wallTime,
} from '@toolwright/core/ports';
import { reasonOf } from '@toolwright/json';
import {
  IS_BUSY,
  IS_DOWN,
  IS_UNTRUSTED,
  RedisConnection,
  REFUSES_USER,
  REFUSES_WRITES,
} from './connection/connection.js';
import { makeLinks } from './connection/make-links.js';
import { Keys } from './keys.js';
import { type RedisSettings, type RedisStoresOptions, readRedisOptions } from './redis-stores-options.js';
import { RedisClaimStore, RedisResultCache, RedisSessionRecords } from './stores/keyed-stores.js';
import { RedisEventBus } from './stores/redis-event-bus.js';
import { RedisEventStore } from './stores/redis-event-store.js';
import { RedisLeaseStore } from './stores/redis-lease-store.js';
import { RedisRecordStore } from './stores/redis-record-store.js';
import { RedisRateLimiter } from './stores/redis-rate-limiter.js';

/** What Redis keeps, and how the server opens and closes it. */
type SharedInRedis = Required<Omit<ServerStores, 'tasks' | 'endedSessions' | 'secrets' | 'anyProcess'>>;

/**
 * Shares what a server remembers between its processes, in Redis 7 or Valkey: rate limits, concurrency slots,
 * claims, change events, resumable streams, session records, cached results, and what packages keep.
 *
 * @example
 * const stores = redisStores({ url: 'rediss://pages:secret@redis.internal:6379' });
 * @throws {ConfigurationError} with everything that is wrong with the options
 */
export function redisStores(options: RedisStoresOptions): SharedInRedis {
  return new RedisStores(readRedisOptions(options));
}

class RedisStores implements SharedInRedis {
  readonly rateLimiter: RedisRateLimiter;
  readonly leases: RedisLeaseStore;
  readonly claims: RedisClaimStore;
  readonly bus: RedisEventBus;
  readonly events: RedisEventStore;
  readonly sessions: RedisSessionRecords;
  readonly cache: RedisResultCache;
  readonly records: RedisRecordStore;
  /** Private for the runtime, too: whoever prints this object must not read the password. */
  readonly #settings: RedisSettings;
  readonly #commands: RedisConnection;
  readonly #subscriber: RedisConnection;
  #health: RedisHealth | undefined;
  #ports: StorePorts | undefined;
  #isListening = false;
  #wasHeard: boolean | undefined;

  constructor(settings: RedisSettings) {
    const { timeout, lease, patience, maxEvents, maxEventBytes, eventTtl, maxCachedBytes } = settings;
    this.#settings = settings;
    const keys = new Keys(settings.prefix);
    const commands = new RedisConnection({
      timeout,
      changed: (reason) => this.#commandsChanged(reason),
      refused: (error) => this.#health?.refused(error),
      probe: { command: ['SET', keys.health, '1', 'PX', '60000'], key: keys.health },
    });
    this.#commands = commands;
    this.#subscriber = new RedisConnection({
      timeout,
      changed: (reason) => this.#subscriberChanged(reason),
      refused: (error) => this.#health?.refused(error),
      prepare: () => this.#listen(),
    });
    this.rateLimiter = new RedisRateLimiter(commands, keys, { patience });
    this.leases = new RedisLeaseStore(commands, keys, { lease, patience });
    this.claims = new RedisClaimStore(commands, keys);
    this.bus = new RedisEventBus(commands, keys);
    this.events = new RedisEventStore(commands, keys, { maxEvents, maxEventBytes, eventTtl });
    this.sessions = new RedisSessionRecords(commands, keys);
    this.records = new RedisRecordStore(commands, keys);
    this.cache = new RedisResultCache(commands, keys, maxCachedBytes);
  }

  async open(ports: StorePorts): Promise<void> {
    this.#ports = ports;
    this.#health = new RedisHealth(ports);
    const { clock } = ports;
    const links = makeLinks(this.#settings, clock);
    await Promise.all([
      this.#commands.open({ link: links.commands, clock }),
      this.#subscriber.open({ link: links.subscriber, clock }),
    ]);
  }

  async close(): Promise<void> {
    this.#health = undefined;
    await Promise.all([this.events.close(), this.leases.close()]);
    await Promise.all([this.#commands.close(), this.#subscriber.close()]);
  }

  health(): readonly StoreHealth[] {
    return [this.#health?.now ?? { store: 'redis', up: false, since: 0 }];
  }

  /** After a reconnect, node-redis subscribes again by itself. */
  async #listen(): Promise<void> {
    if (this.#isListening) return;
    await this.bus.listen(this.#subscriber, this.#ports!.logger);
    this.#isListening = true;
  }

  #commandsChanged(reason: unknown): void {
    this.#settle(reason);
    if (!this.#commands.isUp) return;
    this.bus.tellUnsent();
    this.events.empty();
  }

  #subscriberChanged(reason: unknown): void {
    this.#settle(reason);
    const isHeard = this.#subscriber.isUp;
    const wasHeard = this.#wasHeard;
    this.#wasHeard = isHeard;
    // The first connection has missed nothing, unless the server had to start without it.
    if (isHeard && wasHeard === false) this.bus.tellMissed();
  }

  #settle(reason: unknown): void {
    const connections = [this.#commands, this.#subscriber];
    if (connections.some(({ isAway }) => isAway)) this.#health?.settle(false, reason);
    else if (connections.every(({ isUp }) => isUp)) this.#health?.settle(true, undefined);
  }
}

const NAME = 'redis';

/** For how long a kind of refusal is not logged again. */
const QUIET_MS = 60_000;

const AWAY = { text: 'Redis does not answer', over: 'Redis answers again' };

/** What an error of Redis means, by the word that it begins with, for those who run it. */
const PROBLEMS = [
  [REFUSES_WRITES, { text: 'Redis refuses writes', over: 'Redis takes writes again' }],
  [
    REFUSES_USER,
    {
      text: 'Redis refuses the user of the stores, or the user lacks a right',
      over: 'Redis takes the user of the stores again',
    },
  ],
  [IS_UNTRUSTED, { text: 'TLS with Redis fails: a certificate is not accepted', over: AWAY.over }],
  [IS_DOWN, { text: 'The Redis Cluster is down', over: AWAY.over }],
  [IS_BUSY, { text: 'Redis is busy with a script or a function', over: AWAY.over }],
] as const;

const problemOf = (error: unknown) => PROBLEMS.find(([word]) => word.test(reasonOf(error)))?.[1] ?? AWAY;

/** Knows since when Redis answers or is away, and logs each change once. */
class RedisHealth {
  #isUp: boolean | undefined;
  /** Since when it is so, on the monotonic clock. */
  #since: number;
  #problem = AWAY;
  readonly #refusedAt = new Map<string, number>();

  constructor(private readonly ports: StorePorts) {
    this.#since = monotonic(ports.clock);
  }

  get now(): StoreHealth {
    return { store: NAME, up: this.#isUp ?? false, since: wallTime(this.ports.clock, this.#since) };
  }

  /** @param reason why Redis is away; only its message is logged */
  settle(isUp: boolean, reason: unknown): void {
    const before = this.#isUp;
    if (isUp === before) return isUp ? undefined : this.#learned(reason);
    const { clock, logger } = this.ports;
    const now = monotonic(clock);
    const awayMs = now - this.#since;
    this.#isUp = isUp;
    this.#since = now;
    if (isUp) {
      if (before === false) logger.info({ store: NAME, awayMs }, this.#problem.over);
      return;
    }
    this.#away(problemOf(reason), reason);
  }

  /** A connection that closes says nothing. Why the next attempt fails is often what somebody has to change. */
  #learned(reason: unknown): void {
    const problem = problemOf(reason);
    if (problem !== AWAY && problem !== this.#problem) this.#away(problem, reason);
  }

  #away(problem: typeof AWAY, reason: unknown): void {
    this.#problem = problem;
    this.ports.logger.error({ store: NAME, reason: reasonOf(reason) }, problem.text);
  }

  /** Redis answers, and refuses a command. Each kind of refusal is logged once a minute. */
  refused(error: unknown): void {
    const { text } = problemOf(error);
    const { clock, logger } = this.ports;
    const now = monotonic(clock);
    if (now - (this.#refusedAt.get(text) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    this.#refusedAt.set(text, now);
    logger.error({ store: NAME, reason: reasonOf(error) }, text);
  }
}
