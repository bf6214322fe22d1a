import { digest } from '../base/seal.js';
import { type Environment, poolsOf } from '../call/environment.js';
import { countedKey } from '../call/operation/keys.js';
import type { BoundOperation } from '../call/operation/operation.js';
import { RateLimit } from '../policies/rate-limit.js';
import type { RateLimiter, RateLimitUse } from '../ports/rate-limiter.js';
import { callerOfLimit } from './server-activity.js';
import type { LimitState, SlotState } from './server-state.js';

/** What an operation is called that the server does not have any more. */
const GONE = 'an operation that is gone';

/** How much of the rate limits callers have used, where the limiters can say it. */
export function usedLimits(environment: Environment, operations: readonly BoundOperation[]): LimitState[] {
  const places = placesOf(environment, operations);
  return limitersOf(environment).flatMap((limiter) =>
    [...(limiter.uses?.() ?? [])].map((use) => ({ ...describe(use.key, places), ...numbersOf(use) })),
  );
}

/**
 * Gives points back.
 *
 * @param key of one limit; default: all
 * @returns how many limits there were
 */
export function resetLimits(environment: Environment, key?: string): number {
  let count = 0;
  for (const limiter of limitersOf(environment)) {
    // The limiter forgets while it is read.
    const uses = limiter.reset ? [...(limiter.uses?.() ?? [])] : [];
    for (const use of uses) {
      if (key !== undefined && keyOf(use) !== key) continue;
      limiter.reset!(use.key, use.rule);
      count++;
    }
  }
  return count;
}

/** The slots that callers hold or wait for. */
export function usedSlots(environment: Environment): SlotState[] {
  return poolsOf(environment).flatMap(([name, pool]) =>
    pool.uses().map(({ key, held, waiting }) => ({
      pool: name,
      caller: callerOfLimit(key),
      limit: Math.min(pool.limits.perKey, pool.limits.perTenant ?? Infinity, pool.limits.total),
      held,
      waiting,
    })),
  );
}

function limitersOf({ localLimiter, limiter }: Environment): readonly RateLimiter[] {
  return limiter ? [localLimiter, limiter.shared] : [localLimiter];
}

/** The beginnings of keys, and whether a caller follows or a text of the application. */
function placesOf(
  { rateLimit }: Environment,
  operations: readonly BoundOperation[],
): ReadonlyMap<string, { readonly isOwn: boolean }> {
  const ofAll = [
    ['operations', { isOwn: false }],
    ['completions', { isOwn: false }],
  ] as const;
  const ofEach = operations.flatMap((operation) => {
    const name = countedKey(operation);
    const { limit = rateLimit } = RateLimit.of(operation)?.options || {};
    return [
      [name, { isOwn: limit?.key !== undefined }],
      [`completion ${name}`, { isOwn: false }],
    ] as const;
  });
  return new Map<string, { isOwn: boolean }>([...ofAll, ...ofEach]);
}

function describe(
  key: string,
  places: ReturnType<typeof placesOf>,
): Pick<LimitState, 'operation' | 'caller'> {
  if (key.startsWith('operations by key ')) return { operation: 'operations by key' };
  for (let at = key.indexOf(' '); at >= 0; at = key.indexOf(' ', at + 1)) {
    const operation = key.slice(0, at);
    const place = places.get(operation);
    if (place) return { operation, ...(!place.isOwn && { caller: callerOfLimit(key.slice(at + 1)) }) };
  }
  return { operation: GONE };
}

function numbersOf(use: RateLimitUse): Omit<LimitState, 'operation' | 'caller'> {
  const { rule, used, resetsAt } = use;
  return { key: keyOf(use), points: rule.points, perMs: rule.perMs, used, resetsAt };
}

function keyOf({ key, rule: { points, perMs } }: RateLimitUse): string {
  return digest([key, points, perMs]);
}
