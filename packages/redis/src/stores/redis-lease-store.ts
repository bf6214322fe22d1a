import type { Clock, LeaseStore } from '@toolwright/core/ports';
import { type LeaseHolding, RenewedLeases } from '@toolwright/json';
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

/** Takes a lease of every key, or of none. ARGV: life, the most leases of each key, the member of each key. */
const takeLeases = new Script(`${BEGIN}
for index, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%d', now))
  if redis.call('ZCARD', key) >= tonumber(ARGV[1 + index]) then return 0 end
end
for index, key in ipairs(KEYS) do hold(key, ARGV[1 + #KEYS + index]) end
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

/** Leases that end by the clock of Redis. */
export class RedisLeaseStore extends RenewedLeases implements LeaseStore {
  readonly patienceMs: number;

  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: Keys,
    { lease, patience }: { readonly lease: number; readonly patience: number },
  ) {
    super(lease);
    this.patienceMs = patience;
  }

  protected get clock(): Clock {
    return this.connection.clock;
  }

  protected nameOf(key: string): string {
    return this.keys.lease(key);
  }

  protected async take(holdings: readonly LeaseHolding[], most: readonly number[]): Promise<boolean> {
    const args = [...most.map(String), ...membersOf(holdings)];
    return (await this.#run(takeLeases, holdings, [this.#life, ...args])) === 1;
  }

  protected renew(holdings: readonly LeaseHolding[]): Promise<unknown> {
    return this.#run(renewLeases, holdings, [this.#life, ...membersOf(holdings)]);
  }

  protected end(holdings: readonly LeaseHolding[]): Promise<unknown> {
    return this.#run(endLeases, holdings, membersOf(holdings));
  }

  get #life(): string {
    return String(this.lease);
  }

  #run(script: Script, holdings: readonly LeaseHolding[], args: readonly string[]): Promise<unknown> {
    const keys = holdings.map(({ key }) => key) as [string, ...string[]];
    return script.run(this.connection, keys, args);
  }
}

function membersOf(holdings: readonly LeaseHolding[]): string[] {
  return holdings.map(({ member }) => member);
}
