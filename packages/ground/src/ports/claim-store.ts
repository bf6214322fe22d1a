import { type Clock, monotonic } from './clock-and-ids.js';

/**
 * Remembers for a while that something was used, so that nobody can use it twice. An adapter shares it
 * between processes.
 */
export interface ClaimStore {
  /**
   * True for the first caller that claims `key`. The claim ends after `ttlMs`.
   *
   * @param owner who causes the claim; a store whose room is limited gives each owner a share of it
   */
  claim(key: string, ttlMs: number, owner?: ClaimOwner): boolean | Promise<boolean>;
  /**
   * Gives a claim back. True for the one caller that ends the claim; false when nothing is claimed under
   * `key` (any more).
   */
  release(key: string): boolean | Promise<boolean>;
  /** True while somebody holds a claim on `key`. Sealed sessions need it (`secrets`). */
  has?(key: string): boolean | Promise<boolean>;
}

/** Whose claim it is: a principal's, or that of an anonymous address. */
export interface ClaimOwner {
  readonly anonymous: boolean;
  /** Tells owners of the same kind apart. */
  readonly key: string;
}

/**
 * How much longer a claim lives than the value that it protects, in milliseconds. The clock of the next process that
 * checks the value may be behind the clock of the process that claims.
 */
const CLOCK_SKEW_MS = 600_000;

/**
 * How long a claim must live for a value that expires at `expires`. Each process checks the expiry by its own clock.
 */
export function claimLifetime(expires: number, clock: Clock): number {
  return Math.max(0, expires - clock.now()) + CLOCK_SKEW_MS;
}

/** How often a full store looks for claims that have ended. Looking at 100,000 claims takes milliseconds. */
const SWEEP_EVERY_MS = 1_000;

/** One claim in memory. */
interface Held {
  readonly expiry: number;
  readonly owner: ClaimOwner | undefined;
}

/**
 * Keeps the claims of this process. It holds at most `max` of them and refuses further ones. If it forgot a
 * claim instead, an attacker could use it again (replay). One owner has at most a tenth of the room, and all anonymous
 * ones together have half of it, so nobody can use it up for others.
 */
export class MemoryClaimStore implements ClaimStore {
  readonly #held = new Map<string, Held>();
  readonly #counts = new Map<string, number>();
  readonly #maxPerOwner: number;
  readonly #maxAnonymous: number;
  #anonymous = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    private readonly max = 200_000,
  ) {
    this.#maxPerOwner = Math.ceil(max / 10);
    this.#maxAnonymous = Math.ceil(max / 2);
  }

  claim(key: string, ttlMs: number, owner?: ClaimOwner): boolean {
    const now = monotonic(this.clock);
    const held = this.#held.get(key);
    if (held && held.expiry > now) return false;
    if (held) this.#drop(key, held);
    if (this.#isFullFor(owner)) this.#dropExpired(now);
    if (this.#isFullFor(owner)) return false;
    this.#held.set(key, { expiry: now + ttlMs, owner });
    this.#count(owner, 1);
    return true;
  }

  release(key: string): boolean {
    const held = this.#held.get(key);
    if (!held) return false;
    this.#drop(key, held);
    return held.expiry > monotonic(this.clock);
  }

  has(key: string): boolean {
    return (this.#held.get(key)?.expiry ?? 0) > monotonic(this.clock);
  }

  #isFullFor(owner: ClaimOwner | undefined): boolean {
    if (this.#held.size >= this.max) return true;
    if (!owner) return false;
    if (owner.anonymous && this.#anonymous >= this.#maxAnonymous) return true;
    return (this.#counts.get(nameOf(owner)) ?? 0) >= this.#maxPerOwner;
  }

  #count(owner: ClaimOwner | undefined, change: 1 | -1): void {
    if (!owner) return;
    if (owner.anonymous) this.#anonymous += change;
    const name = nameOf(owner);
    const count = (this.#counts.get(name) ?? 0) + change;
    if (count > 0) this.#counts.set(name, count);
    else this.#counts.delete(name);
  }

  #drop(key: string, { owner }: Held): void {
    this.#held.delete(key);
    this.#count(owner, -1);
  }

  #dropExpired(now: number): void {
    if (Math.abs(now - this.#sweptAt) < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    for (const [key, held] of this.#held) if (held.expiry <= now) this.#drop(key, held);
  }
}

function nameOf({ anonymous, key }: ClaimOwner): string {
  return `${anonymous ? 'a' : 'p'} ${key}`;
}

/**
 * How long the store may take, in milliseconds. The time is short, because a caller waits for the answer and no other
 * store can give it.
 */
const MOST_MS = 1_000;

/**
 * The claims of a store that may hang. An answer that takes longer than a second is an error, like one that
 * fails.
 */
export class TimedClaimStore implements ClaimStore {
  readonly has: ClaimStore['has'];

  constructor(
    private readonly store: ClaimStore,
    private readonly clock: Clock,
  ) {
    if (store.has) this.has = (key) => this.#inTime(store.has!(key));
  }

  claim(key: string, ttlMs: number, owner?: ClaimOwner): boolean | Promise<boolean> {
    return this.#inTime(this.store.claim(key, ttlMs, owner));
  }

  release(key: string): boolean | Promise<boolean> {
    return this.#inTime(this.store.release(key));
  }

  #inTime(answer: boolean | Promise<boolean>): boolean | Promise<boolean> {
    if (typeof answer === 'boolean') return answer;
    return new Promise((resolve, reject) => {
      const tooLate = () => reject(new Error(`The claim store took longer than ${MOST_MS} ms.`));
      // An answer may have come while this process was busy. It is read before the time counts as over.
      const stopClock = this.clock.after(MOST_MS, () => void setImmediate(tooLate));
      Promise.resolve(answer).then(resolve, reject).finally(stopClock);
    });
  }
}

/** How many leases of one key may be held at a time, over all processes. */
export interface LeaseLimit {
  readonly key: string;
  readonly max: number;
}

/** Gives a lease back. Calling it again does nothing. */
export type ReleaseLease = () => void | Promise<void>;

/**
 * Counts what runs at a time over all processes of a server. A lease ends when it is released, or a short
 * time after its process has died. The store renews the leases of a living process by itself.
 */
export interface LeaseStore {
  /**
   * How many milliseconds a call may wait for an answer. After that, this process counts alone. Default 50: a store
   * that is reached over a network may hang. It may be longer where the store is a part of the same machine, and dies
   * with this process.
   */
  readonly patienceMs?: number;
  /** Takes a lease of every limit, or none: `undefined` when one of them is reached. */
  acquire(limits: readonly LeaseLimit[]): (ReleaseLease | undefined) | Promise<ReleaseLease | undefined>;
}

/** Counts the leases of this process. */
export class MemoryLeaseStore implements LeaseStore {
  readonly #held = new Map<string, number>();

  acquire(limits: readonly LeaseLimit[]): ReleaseLease | undefined {
    if (limits.some(({ key, max }) => this.#of(key) >= max)) return undefined;
    for (const { key } of limits) this.#held.set(key, this.#of(key) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const { key } of limits) this.#giveBack(key);
    };
  }

  #of(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  #giveBack(key: string): void {
    const left = this.#of(key) - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
  }
}
