import type { QuotaOwner } from './quota-owner.js';

export interface QuotaLimits {
  /** QuotaPool of all principals together. */
  max: number;
  maxPerPrincipal: number;
  /** QuotaPool of all anonymous callers together: a share of their own, so that they take none from a principal. */
  maxAnonymous: number;
}

/**
 * Who holds what of something there is only so much of. Principals and anonymous callers have a share each: whatever
 * anonymous callers do, no principal loses a place to them.
 */
export class QuotaPool<T> {
  readonly #principals = new Share<T>();
  readonly #anonymous = new Share<T>();

  constructor(private readonly limits: QuotaLimits) {}

  get size(): number {
    return this.#principals.size + this.#anonymous.size;
  }

  /** The share of this holder's kind has no place left. */
  isFullFor({ anonymous }: QuotaOwner): boolean {
    const { max, maxAnonymous } = this.limits;
    return anonymous ? this.#anonymous.size >= maxAnonymous : this.#principals.size >= max;
  }

  /** The principal has as many as one may have. */
  isExhaustedFor({ anonymous, key }: QuotaOwner): boolean {
    return !anonymous && this.#principals.of(key).size >= this.limits.maxPerPrincipal;
  }

  /** Takes a place whether or not there is one. The function that comes back gives it up, once. */
  take({ anonymous, key }: QuotaOwner, item: T): () => void {
    const share = anonymous ? this.#anonymous : this.#principals;
    share.add(key, item);
    return () => share.remove(key, item);
  }

  /** What this holder has, in the order in which it was taken or renewed. */
  of({ anonymous, key }: QuotaOwner): ReadonlySet<T> {
    return (anonymous ? this.#anonymous : this.#principals).of(key);
  }

  /** Puts something behind all else that its holder has. */
  renew({ anonymous, key }: QuotaOwner, item: T): void {
    (anonymous ? this.#anonymous : this.#principals).renew(key, item);
  }

  /** What the anonymous address has that holds the most, oldest first: a flood costs callers from other addresses nothing. */
  ofLargestAddress(): ReadonlySet<T> {
    return this.#anonymous.largest();
  }

  /** What gives way to an anonymous caller: the newest of an address that is still left with as many as the caller gets. */
  rivalOf(holder: QuotaOwner): T | undefined {
    if (!holder.anonymous) return undefined;
    const largest = this.ofLargestAddress();
    return largest.size > this.of(holder).size + 1 ? [...largest].at(-1) : undefined;
  }
}

const NOTHING: ReadonlySet<never> = new Set<never>();

class Share<T> {
  readonly #byKey = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  of(key: string): ReadonlySet<T> {
    return this.#byKey.get(key) ?? NOTHING;
  }

  add(key: string, item: T): void {
    const held = this.#byKey.get(key);
    if (held) held.add(item);
    else this.#byKey.set(key, new Set([item]));
    this.#size++;
  }

  remove(key: string, item: T): void {
    const held = this.#byKey.get(key);
    if (!held?.delete(item)) return;
    this.#size--;
    if (held.size === 0) this.#byKey.delete(key);
  }

  renew(key: string, item: T): void {
    const held = this.#byKey.get(key);
    if (held?.delete(item)) held.add(item);
  }

  largest(): ReadonlySet<T> {
    let largest: ReadonlySet<T> = NOTHING;
    for (const held of this.#byKey.values()) if (held.size > largest.size) largest = held;
    return largest;
  }
}
