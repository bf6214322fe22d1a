import {
  type RateLimitDecision,
  type RateLimiter,
  type RateLimitRule,
  type RateLimitUse,
  type Clock,
  monotonic,
  systemClock,
  wallTime,
} from '@toolwright/core/ports';
import { SeenLimits } from '@toolwright/json';
import type { RedisConnection } from '../connection/connection.js';
import type { Keys } from '../keys.js';
import { Script } from './script.js';

/**
 * Takes points from a window, if there are enough. The window is a key that expires, so only the clock of
 * Redis matters. A refused call opens a window, too, as it does in memory.
 *
 * Returns whether there were enough, the points that are used now, and the milliseconds until the window ends.
 */
const takePoints = new Script(`
local key, cost, points = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local left = redis.call('PTTL', key)
local isOpen = left >= 0
local used = isOpen and tonumber(redis.call('GET', key)) or 0
local isAllowed = used + cost <= points
if isAllowed then used = used + cost end
local text = string.format('%.17g', used)
if not isOpen then
  left = tonumber(ARGV[3])
  redis.call('SET', key, text, 'PX', left)
elseif isAllowed then
  redis.call('SET', key, text, 'KEEPTTL')
end
return {isAllowed and 1 or 0, text, left}
`);

const forgetPoints = new Script(`return redis.call('DEL', KEYS[1])`);

/** Counts points in Redis, for all processes together. The windows are those of `MemoryRateLimiter`. */
export class RedisRateLimiter implements RateLimiter {
  readonly patienceMs?: number;
  readonly #seen: SeenLimits;

  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: Keys,
    { patience, clock = systemClock }: { readonly patience?: number; readonly clock?: Clock } = {},
  ) {
    if (patience !== undefined) this.patienceMs = patience;
    this.#seen = new SeenLimits({
      monotonic: () => monotonic(clock),
      wallTime: (moment) => wallTime(clock, moment),
    });
  }

  async consume(key: string, cost: number, rule: RateLimitRule): Promise<RateLimitDecision> {
    const { points, perMs } = rule;
    const window = this.keys.limit(`${points}/${perMs}`, key);
    const args = [String(cost), String(points), String(Math.ceil(perMs))];
    const reply = await takePoints.run(this.connection, [window], args);
    const [allowed, used, left] = reply as [number, string, number];
    this.#seen.remember(window, { key, rule, used: Number(used) }, left);
    return { allowed: allowed === 1, remaining: points - Number(used), retryAfterMs: Math.max(1, left) };
  }

  uses(): Iterable<RateLimitUse> {
    return this.#seen.uses();
  }

  reset(key: string, rule: RateLimitRule): void {
    const window = this.keys.limit(`${rule.points}/${rule.perMs}`, key);
    this.#seen.forget(window);
    // Redis may be away. Then the window ends by itself.
    void forgetPoints.run(this.connection, [window], []).catch(() => undefined);
  }
}
