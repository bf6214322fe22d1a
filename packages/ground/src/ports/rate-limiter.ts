import { type Clock, systemClock, monotonic, wallTime } from './clock-and-ids.js';

/** How long a shared store may take while a call waits for it, in milliseconds, unless it names another time. */
export const STORE_TIMEOUT_MS = 50;

/**
 * How many points a key may use within a span of time. The same rule may be passed as the same object each
 * time.
 */
export interface RateLimitRule {
  readonly points: number;
  /** The span of time in milliseconds. */
  readonly perMs: number;
}

export interface RateLimitDecision {
  allowed: boolean;
  /** The points that are left in the current span. */
  remaining: number;
  /** How many milliseconds it takes until enough points are available again. */
  retryAfterMs: number;
}

/** What a key has used of a rule since its span began. */
export interface RateLimitUse {
  readonly key: string;
  readonly rule: RateLimitRule;
  readonly used: number;
  /** When the points are available again, in milliseconds since the epoch. */
  readonly resetsAt: number;
}

/** Counts points. The default counts in memory; implement this interface for Redis and other stores. */
export interface RateLimiter {
  /**
   * How many milliseconds a call may wait for an answer. After that, this process counts alone. Default 50: a store
   * that is reached over a network may hang. It may be longer where an exact count is worth the wait, or where the store is a
   * part of the same machine, and dies with this process.
   */
  readonly patienceMs?: number;
  /**
   * Takes `cost` points from `key` under `rule`. It must count exactly, even when many calls arrive at the
   * same time. Return a plain value, and no promise, when there is nothing to wait for: the call then goes on
   * at once.
   *
   * @throws when the store cannot be reached; the option `onStoreError` then decides
   */
  consume(key: string, cost: number, rule: RateLimitRule): RateLimitDecision | Promise<RateLimitDecision>;
  /** The points that are used at the moment, for operators. Without this method, operators do not see them. */
  uses?(): Iterable<RateLimitUse>;
  /** Gives a key its points of a rule back, for operators. */
  reset?(key: string, rule: RateLimitRule): void;
}

/** What a key has used since its window began. */
interface Window {
  since: number;
  used: number;
  /** True while the count only copies a shared limiter, and this process has counted nothing alone. */
  isFollowed?: boolean;
}

/**
 * Counts in the memory of this process. Each key and rule has one window, which starts with its first call.
 * It answers at once, so a call that waits for nothing else needs no promise. Because it is synchronous, it
 * also counts exactly.
 */
export class MemoryRateLimiter implements RateLimiter {
  /** The windows, by rule. All windows of a map last equally long, so the windows at the front end first. */
  readonly #windows = new Map<
    string,
    { readonly rule: RateLimitRule; readonly windows: Map<string, Window> }
  >();
  /** The same maps, by the object of the rule. All calls of a tool use the same object. */
  #windowsByObject = new WeakMap<RateLimitRule, Map<string, Window>>();

  constructor(private readonly clock: Clock = systemClock) {}

  consume(key: string, cost: number, rule: RateLimitRule): RateLimitDecision {
    const now = monotonic(this.clock);
    const window = this.#windowOf(key, rule, now);
    const allowed = window.used + cost <= rule.points;
    if (allowed) {
      window.used += cost;
      window.isFollowed = false;
    }
    return { allowed, remaining: rule.points - window.used, retryAfterMs: window.since + rule.perMs - now };
  }

  /**
   * Copies the decision of a shared limiter about a key. If the shared limiter stops answering, this one continues
   * with its count. Points that this process has counted alone stay counted.
   */
  follow(key: string, rule: RateLimitRule, { remaining, retryAfterMs }: RateLimitDecision): void {
    const now = monotonic(this.clock);
    const window = this.#windowOf(key, rule, now);
    const used = rule.points - remaining;
    const isOwn = window.used > 0 && !window.isFollowed;
    window.used = isOwn ? Math.max(window.used, used) : used;
    window.isFollowed = !isOwn;
    window.since = Math.min(now, now + retryAfterMs - rule.perMs);
  }

  /** The points that are used at the moment, as this process counts them. */
  *uses(): Generator<RateLimitUse> {
    const now = monotonic(this.clock);
    for (const { rule, windows } of this.#windows.values())
      for (const [key, window] of windows) {
        if (window.used === 0 || window.isFollowed || !isOpen(window, rule.perMs, now)) continue;
        yield { key, rule, used: window.used, resetsAt: wallTime(this.clock, window.since + rule.perMs) };
      }
  }

  reset(key: string, rule: RateLimitRule): void {
    this.#windows.get(nameOf(rule))?.windows.delete(key);
  }

  #windowOf(key: string, rule: RateLimitRule, now: number): Window {
    const { perMs } = rule;
    const windows = this.#windowsByObject.get(rule) ?? this.#windowsOf(rule);
    const known = windows.get(key);
    if (known && isOpen(known, perMs, now)) return known;
    forgetEnded(windows, perMs, now);
    // Those at the front began first, so they end first.
    for (const [oldest] of windows) {
      if (windows.size < MOST_KEYS) break;
      windows.delete(oldest);
    }
    const fresh = { since: now, used: 0 };
    windows.delete(key);
    windows.set(key, fresh);
    return fresh;
  }

  #windowsOf(rule: RateLimitRule): Map<string, Window> {
    const name = nameOf(rule);
    if (this.#windows.size >= MOST_RULES && !this.#windows.has(name)) this.#forgetRules();
    const kept = this.#windows.get(name) ?? { rule, windows: new Map<string, Window>() };
    this.#windows.set(name, kept);
    this.#windowsByObject.set(rule, kept.windows);
    return kept.windows;
  }

  #forgetRules(): void {
    const now = monotonic(this.clock);
    for (const [name, { rule, windows }] of this.#windows) {
      forgetEnded(windows, rule.perMs, now);
      if (windows.size === 0) this.#windows.delete(name);
    }
    // A rule whose windows are forgotten must find the new ones.
    this.#windowsByObject = new WeakMap();
  }
}

/** Above this number, rules without an open window are forgotten. A function may return other points for each caller. */
const MOST_RULES = 1_000;

/**
 * Above this number, the key of a rule that began first is counted anew. Whoever has as many addresses or accounts has as
 * many quotas anyway.
 */
const MOST_KEYS = 100_000;

function nameOf({ points, perMs }: RateLimitRule): string {
  return `${points}/${perMs}`;
}

/** If the clock was put back, a key must not wait until the clock has caught up. */
function isOpen({ since }: Window, perMs: number, now: number): boolean {
  return now >= since && now < since + perMs;
}

/** Callers can make up keys, so ended windows must not pile up. */
function forgetEnded(windows: Map<string, Window>, perMs: number, now: number): void {
  for (const [key, window] of windows) {
    if (isOpen(window, perMs, now)) return;
    windows.delete(key);
  }
}
