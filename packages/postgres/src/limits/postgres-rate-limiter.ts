import {
  type RateLimitDecision,
  type RateLimiter,
  type RateLimitRule,
  type RateLimitUse,
  monotonic,
  systemClock,
  wallTime,
} from '@toolwright/core/ports';
import { SeenLimits } from '@toolwright/json';
import type { Row } from '../connect/database.js';
import { type Statements, digest, isKept, lifetime, until } from '../schema/sql.js';

/**
 * Counts points in rows, for all processes together. The windows are those of `MemoryRateLimiter`. One statement looks and
 * takes, and Postgres lets one transaction at a time change a row. So no two processes take the same point.
 */
export class PostgresRateLimiter implements RateLimiter {
  readonly patienceMs: number;
  readonly #take: string;
  readonly #look: string;
  readonly #forget: string;
  readonly #seen = new SeenLimits({
    monotonic: () => monotonic(systemClock),
    wallTime: (moment) => wallTime(systemClock, moment),
  });

  constructor(
    private readonly database: Statements,
    { schema, patience }: { readonly schema: string; readonly patience: number },
  ) {
    this.patienceMs = patience;
    const table = `"${schema}".limits`;
    const left = 'greatest(1, extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS left';
    // A refused call opens a window, too, as it does in memory. In one that is open, it changes nothing.
    this.#take = `INSERT INTO ${table} AS kept (key, used, expires_at)
      VALUES ($1, CASE WHEN $2::float8 <= $3::float8 THEN $2::float8 ELSE 0 END, ${until('$4')})
      ON CONFLICT (key) DO UPDATE SET
        used = CASE WHEN ${isKept('kept')} THEN kept.used + $2::float8 ELSE excluded.used END,
        expires_at = CASE WHEN ${isKept('kept')} THEN kept.expires_at ELSE excluded.expires_at END
      WHERE kept.used + $2::float8 <= $3::float8 OR NOT ${isKept('kept')}
      RETURNING used, ${left.replaceAll('expires_at', 'kept.expires_at')}`;
    this.#look = `SELECT used, ${left} FROM ${table} WHERE key = $1 AND ${isKept()}`;
    this.#forget = `DELETE FROM ${table} WHERE key = $1`;
  }

  async consume(key: string, cost: number, rule: RateLimitRule): Promise<RateLimitDecision> {
    const window = windowOf(key, rule);
    const taken = [window, cost, rule.points, lifetime(Math.ceil(rule.perMs))];
    for (;;) {
      const [row] = await this.database.query(this.#take, taken);
      if (row) return this.#decide(row, cost <= rule.points, { window, key, rule });
      const [full] = await this.database.query(this.#look, [window]);
      // Without a row, the window has ended in between.
      if (full) return this.#decide(full, false, { window, key, rule });
    }
  }

  /** The limits that this process has asked about and that are not over, with the points of all processes. */
  uses(): Iterable<RateLimitUse> {
    return this.#seen.uses();
  }

  reset(key: string, rule: RateLimitRule): void {
    const window = windowOf(key, rule);
    this.#seen.forget(window);
    // Postgres may be away. Then the window ends by itself.
    void this.database.query(this.#forget, [window]).catch(() => undefined);
  }

  #decide(row: Row, allowed: boolean, { window, key, rule }: AskedLimit): RateLimitDecision {
    const { used, left } = row as { used: number; left: number };
    this.#seen.remember(window, { key, rule, used }, left);
    return { allowed, remaining: rule.points - used, retryAfterMs: Math.ceil(left) };
  }
}

interface AskedLimit {
  readonly window: string;
  readonly key: string;
  readonly rule: RateLimitRule;
}

function windowOf(key: string, { points, perMs }: RateLimitRule): string {
  return digest(`${points}/${perMs}:${key}`);
}
