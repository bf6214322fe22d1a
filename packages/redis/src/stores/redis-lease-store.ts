import type { LeaseLimit, LeaseStore, ReleaseLease } from '@toolwright/core/ports';
import { randomUUID } from 'node:crypto';
import type { RedisConnection } from '../connection/connection.js';
import type { Keys } from '../keys.js';
import { Script } from './script.js';

/** Leases of a key are the members of a sorted set. The score is the time at which a lease ends. */
const BEGIN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local life = tonumber(ARGV[1])
local function hold(key, lease)
  redis.call('ZADD', key, string.format('%d', now + life), lease)
  if redis.call('PTTL', key) < life then redis.call('PEXPIRE', key, life) end
end
`;

/** Takes a lease of every key, or of none. ARGV: life, name of the lease, the most leases of each key. */
const takeLeases = new Script(`${BEGIN}
for index, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%d', now))
  if redis.call('ZCARD', key) >= tonumber(ARGV[2 + index]) then return 0 end
end
for index, key in ipairs(KEYS) do hold(key, ARGV[2] .. ':' .. index) end
return 1
`);

/** Renews leases, even if Redis has forgotten them. ARGV: life, the member of each key. */
const renewLeases = new Script(`${BEGIN}
for index, key in ipairs(KEYS) do hold(key, ARGV[1 + index]) end
return 1
`);

/** ARGV: the member of each key. */
const endLeases = new Script(`
for index, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[index]) end
return 1
`);

/** What is held of one key. */
interface Holding {
  readonly key: string;
  readonly member: string;
}

/** As many holdings are renewed with one script. Redis does nothing else while a script runs. */
const RENEWED_AT_ONCE = 100;
/** A lease is renewed three times before it ends: two of the attempts may fail. */
const RENEWALS = 3;

/**
 * Leases that end by the clock of Redis, unless the process that holds them renews them. The leases of a
 * killed process end by themselves.
 */
export class RedisLeaseStore implements LeaseStore {
  readonly #process = randomUUID();
  readonly #held = new Set<readonly Holding[]>();
  #count = 0;
  #cancelTimer = () => {};

  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: Keys,
    private readonly lease: number,
  ) {}

  async acquire(limits: readonly LeaseLimit[]): Promise<ReleaseLease | undefined> {
    if (limits.length === 0) return () => {};
    const lease = `${this.#process}:${this.#count++}`;
    const holdings = limits.map(({ key }, index) => ({
      key: this.keys.lease(key),
      member: `${lease}:${index + 1}`,
    }));
    const most = limits.map(({ max }) => String(max));
    const isTaken = takeLeases.run(this.connection, keysOf(holdings), [this.#life, lease, ...most]);
    if ((await isTaken) !== 1) return undefined;
    this.#held.add(holdings);
    if (this.#held.size === 1) this.#scheduleRenewal();
    return () => this.#release(holdings);
  }

  /** Gives back all that is held. */
  async close(): Promise<void> {
    await Promise.all([...this.#held].map((holdings) => this.#release(holdings)));
    this.#cancelTimer();
  }

  get #life(): string {
    return String(this.lease);
  }

  async #release(holdings: readonly Holding[]): Promise<void> {
    if (!this.#held.delete(holdings)) return;
    if (this.#held.size === 0) this.#cancelTimer();
    try {
      await endLeases.run(this.connection, keysOf(holdings), membersOf(holdings));
    } catch {
      // Nobody renews the lease any more, so it ends by itself.
    }
  }

  /** The renewals of a fleet that was started at once do not arrive at once. */
  #scheduleRenewal(): void {
    this.#cancelTimer();
    const delay = (this.lease / RENEWALS) * (1 - Math.random() / 4);
    this.#cancelTimer = this.connection.clock.after(delay, () => {
      this.#renew();
      this.#scheduleRenewal();
    });
  }

  #renew(): void {
    const all = [...this.#held].flat();
    for (let at = 0; at < all.length; at += RENEWED_AT_ONCE) {
      const some = all.slice(at, at + RENEWED_AT_ONCE);
      // When Redis is away, the next renewal takes the lease again.
      renewLeases.run(this.connection, keysOf(some), [this.#life, ...membersOf(some)]).catch(() => {});
    }
  }
}

function keysOf(holdings: readonly Holding[]): [string, ...string[]] {
  return holdings.map(({ key }) => key) as [string, ...string[]];
}

function membersOf(holdings: readonly Holding[]): string[] {
  return holdings.map(({ member }) => member);
}
