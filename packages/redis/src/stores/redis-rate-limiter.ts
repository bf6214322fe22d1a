import type { RateLimitDecision, RateLimiter, RateLimitRule } from '@toolwright/core';
import type { Connection } from '../connection/connection.js';
import type { Keys } from '../keys.js';
import { takePoints } from '../scripts/take-points.js';

/** Counts points in Redis, for all processes together. The windows are those of `MemoryRateLimiter`. */
export class RedisRateLimiter implements RateLimiter {
  constructor(
    private readonly connection: Connection,
    private readonly keys: Keys,
  ) {}

  async consume(key: string, cost: number, rule: RateLimitRule): Promise<RateLimitDecision> {
    const { points, perMs } = rule;
    const window = this.keys.limit(`${points}/${perMs}`, key);
    const args = [String(cost), String(points), String(Math.ceil(perMs))];
    const reply = await takePoints.run(this.connection, [window], args);
    const [allowed, used, left] = reply as [number, string, number];
    return { allowed: allowed === 1, remaining: points - Number(used), retryAfterMs: Math.max(1, left) };
  }
}
