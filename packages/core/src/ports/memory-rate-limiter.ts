import { systemClock, type Clock } from './clock.js';
import type { RateLimitDecision, RateLimiter, RateLimitRule } from './rate-limiter.js';

/** What a key has used since its window began. */
interface Window {
  readonly since: number;
  used: number;
}

/**
 * Counts in the memory of this process: one window per key and rule, from its first call on. Answers at once, so that
 * a call with nothing else to wait for needs no promise; being synchronous is also what keeps it exact.
 */
export class MemoryRateLimiter implements RateLimiter {
  /** By rule, so that the windows of a map all last equally long: those in front are the first to end. */
  readonly #windows = new Map<string, Map<string, Window>>();
  /** The same by the object that says the rule: one for all calls of a tool. */
  readonly #windowsByObject = new WeakMap<RateLimitRule, Map<string, Window>>();

  constructor(private readonly clock: Clock = systemClock) {}

  consume(key: string, cost: number, rule: RateLimitRule): RateLimitDecision {
    const now = this.clock.now();
    const window = this.#windowOf(key, rule, now);
    const allowed = window.used + cost <= rule.points;
    if (allowed) window.used += cost;
    return { allowed, remaining: rule.points - window.used, retryAfterMs: window.since + rule.perMs - now };
  }

  #windowOf(key: string, rule: RateLimitRule, now: number): Window {
    const { perMs } = rule;
    const windows = this.#windowsByObject.get(rule) ?? this.#windowsOf(rule);
    const known = windows.get(key);
    if (known && isOpen(known, perMs, now)) return known;
    forgetEnded(windows, perMs, now);
    const fresh = { since: now, used: 0 };
    windows.delete(key);
    windows.set(key, fresh);
    return fresh;
  }

  #windowsOf(rule: RateLimitRule): Map<string, Window> {
    const name = `${rule.points}/${rule.perMs}`;
    const windows = this.#windows.get(name) ?? new Map<string, Window>();
    this.#windows.set(name, windows);
    this.#windowsByObject.set(rule, windows);
    return windows;
  }
}

/** A clock that was put back must not keep a key waiting until it has caught up. */
function isOpen({ since }: Window, perMs: number, now: number): boolean {
  return now >= since && now < since + perMs;
}

/** Keys are callers' to make up: those that are gone must not add up. */
function forgetEnded(windows: Map<string, Window>, perMs: number, now: number): void {
  for (const [key, window] of windows) {
    if (isOpen(window, perMs, now)) return;
    windows.delete(key);
  }
}
