import type { Clock } from './clock.js';

/**
 * Remembers for a while that something was used, so that nobody can use it twice. An adapter shares it
 * between processes.
 */
export interface ClaimStore {
  /** True for the first caller that claims `key`. The claim ends after `ttlMs`. */
  claim(key: string, ttlMs: number): boolean | Promise<boolean>;
  /**
   * Gives a claim back. True for the one caller that ends the claim; false when nothing is claimed under
   * `key` (any more).
   */
  release(key: string): boolean | Promise<boolean>;
  /** True while somebody holds a claim on `key`. Sealed sessions need it (`sessions.secrets`). */
  has?(key: string): boolean | Promise<boolean>;
}

/** How often a full store looks for claims that have ended. Looking at 100,000 claims takes milliseconds. */
const SWEEP_EVERY_MS = 1_000;

/**
 * Keeps the claims of this process. It holds at most `max` of them and refuses further ones. If it forgot a
 * claim instead, an attacker could use it again (replay).
 */
export class MemoryClaimStore implements ClaimStore {
  readonly #expiry = new Map<string, number>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    private readonly max = 100_000,
  ) {}

  claim(key: string, ttlMs: number): boolean {
    const now = this.clock.now();
    const expiry = this.#expiry.get(key);
    if (expiry !== undefined && expiry > now) return false;
    if (this.#expiry.size >= this.max) this.#dropExpired(now);
    if (this.#expiry.size >= this.max) return false;
    this.#expiry.set(key, now + ttlMs);
    return true;
  }

  release(key: string): boolean {
    const expiry = this.#expiry.get(key);
    this.#expiry.delete(key);
    return expiry !== undefined && expiry > this.clock.now();
  }

  has(key: string): boolean {
    return (this.#expiry.get(key) ?? 0) > this.clock.now();
  }

  #dropExpired(now: number): void {
    if (Math.abs(now - this.#sweptAt) < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    for (const [key, expiry] of this.#expiry) if (expiry <= now) this.#expiry.delete(key);
  }
}
