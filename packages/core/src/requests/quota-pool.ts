import { ownerOfPrincipalKey, principalKey } from '@toolwright/ground/call/operation/keys';
import { getOrMake, networkOf } from '@toolwright/json';
import type { Peer } from '@toolwright/wire/response-channel';

export interface QuotaLimits {
  /** The limit for all principals together. */
  max: number;
  maxPerPrincipal: number;
  /** The limit for all principals of one tenant together. Default: none. */
  maxPerTenant?: number;
  /**
   * The limit for all anonymous callers together. It is separate, so that they take no place from a
   * principal.
   */
  maxAnonymous: number;
}

/** True when the limits leave a place for callers of this kind at all. */
export function admits(
  { max, maxPerPrincipal, maxAnonymous }: QuotaLimits,
  { anonymous }: Pick<QuotaOwner, 'anonymous'>,
): boolean {
  return anonymous ? maxAnonymous > 0 : max > 0 && maxPerPrincipal > 0;
}

/**
 * Remembers who holds which items of a limited resource. Principals and anonymous callers have separate
 * limits, so no principal ever loses a place to an anonymous caller.
 */
export class QuotaPool<T> {
  readonly #principals = new Share<T>();
  readonly #anonymous = new Share<T>();
  /** The items of principals once more, by their tenant. */
  readonly #tenants = new Share<T>();

  constructor(readonly limits: QuotaLimits) {}

  get size(): number {
    return this.#principals.size + this.#anonymous.size;
  }

  /** True when the limit for owners of this kind is reached. */
  isFullFor({ anonymous }: QuotaOwner): boolean {
    const { max, maxAnonymous } = this.limits;
    return anonymous ? this.#anonymous.size >= maxAnonymous : this.#principals.size >= max;
  }

  /** True when this principal has reached its own limit, or its tenant has. */
  isExhaustedFor(owner: QuotaOwner): boolean {
    if (owner.anonymous) return false;
    return this.of(owner).size >= this.limits.maxPerPrincipal || this.#isTenantFull(owner);
  }

  /** A principal without a tenant counts as one. */
  #isTenantFull(owner: QuotaOwner): boolean {
    const { maxPerTenant } = this.limits;
    if (maxPerTenant === undefined) return false;
    return (this.#tenantOf(owner) ?? this.of(owner)).size >= maxPerTenant;
  }

  /** The items of all principals of the owner's tenant, in the order in which they were taken or renewed. */
  #tenantOf({ anonymous, key }: QuotaOwner): ReadonlySet<T> | undefined {
    const tenant = anonymous ? undefined : tenantIn(key);
    return tenant === undefined ? undefined : this.#tenants.of(tenant);
  }

  /** What an owner at its limit may lose: items of its own, or, if only its tenant is at the limit, of its tenant. */
  atLimitOf(owner: QuotaOwner): ReadonlySet<T> {
    const own = this.of(owner);
    return own.size >= this.limits.maxPerPrincipal ? own : (this.#tenantOf(owner) ?? own);
  }

  /**
   * Takes a place, even if the limit is reached. The returned function gives the place back; it works once.
   */
  take(owner: QuotaOwner, item: T): () => void {
    for (const [share, key] of this.#placesOf(owner)) share.add(key, item);
    return () => this.leave(owner, item);
  }

  /** Gives a place back. For code that did not keep the function that `take` returned. */
  leave(owner: QuotaOwner, item: T): void {
    for (const [share, key] of this.#placesOf(owner)) share.remove(key, item);
  }

  /** Every item, with its owner. */
  *[Symbol.iterator](): Generator<[owner: QuotaOwner, item: T]> {
    for (const [key, item] of this.#principals.all()) yield [{ anonymous: false, key }, item];
    for (const [key, item] of this.#anonymous.all()) yield [{ anonymous: true, key }, item];
  }

  /** The items of this owner, in the order in which they were taken or renewed. */
  of(owner: QuotaOwner): ReadonlySet<T> {
    return this.#shareOf(owner).of(owner.key);
  }

  /** Moves an item to the end of its owner's items. */
  renew(owner: QuotaOwner, item: T): void {
    for (const [share, key] of this.#placesOf(owner)) share.renew(key, item);
  }

  #placesOf(owner: QuotaOwner): (readonly [share: Share<T>, key: string])[] {
    const own = [this.#shareOf(owner), owner.key] as const;
    const tenant = owner.anonymous ? undefined : tenantIn(owner.key);
    return tenant === undefined ? [own] : [own, [this.#tenants, tenant]];
  }

  #shareOf({ anonymous }: QuotaOwner): Share<T> {
    return anonymous ? this.#anonymous : this.#principals;
  }

  /**
   * The items of the anonymous address that has the most, oldest first. An address that opens very many pays
   * for them itself; callers from other addresses lose nothing.
   */
  ofLargestAddress(): ReadonlySet<T> {
    return this.#anonymous.largest();
  }

  /**
   * The item that is taken away to make room for an anonymous caller. It is the newest one of an address that still
   * has at least as many items as the caller afterwards.
   */
  evictionCandidate(holder: QuotaOwner): T | undefined {
    if (!holder.anonymous) return undefined;
    const largest = this.ofLargestAddress();
    return largest.size > this.of(holder).size + 1 ? [...largest].at(-1) : undefined;
  }
}

/** The tenant of a principal, from its key: an owner that is stored needs nothing else. */
const tenantIn = (key: string) => ownerOfPrincipalKey(key).tenant;

const NOTHING: ReadonlySet<never> = new Set<never>();

class Share<T> {
  readonly #byKey = new Map<string, Set<T>>();
  size = 0;

  of(key: string): ReadonlySet<T> {
    return this.#byKey.get(key) ?? NOTHING;
  }

  *all(): Generator<[key: string, item: T]> {
    for (const [key, items] of this.#byKey) for (const item of items) yield [key, item];
  }

  add(key: string, item: T): void {
    getOrMake(this.#byKey, key, () => new Set()).add(item);
    this.size++;
  }

  remove(key: string, item: T): void {
    const held = this.#byKey.get(key);
    if (!held?.delete(item)) return;
    this.size--;
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

/** Who a quota belongs to: a principal, or the address of an anonymous caller. */
export interface QuotaOwner {
  readonly anonymous: boolean;
  /** Tells owners of the same kind apart. */
  readonly key: string;
}

/**
 * Finds the owner for a caller. The address of an anonymous caller is the one that the transport knows: the
 * address of the connection, or the one that a trusted proxy forwards. All callers behind a proxy that is not
 * trusted have the same address and share its quota.
 */
export function quotaOwnerOf({ principal, ip }: Pick<Peer, 'principal' | 'ip'>): QuotaOwner {
  return principal
    ? { anonymous: false, key: principalKey(principal) }
    : { anonymous: true, key: ip === undefined ? '' : networkOf(ip) };
}
