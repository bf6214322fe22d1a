import { getOrMake, type MaybePromise } from '@toolwright/json';
import { isAnonymousKey, partyOf } from '../operation/keys.js';

export interface SlotLimits {
  /** How many calls of one key may run at a time. */
  perKey: number;
  /** How many calls of one tenant may run at a time. A caller without a tenant counts as one. Default: no limit. */
  perTenant?: number;
  /** How many calls of all keys may run at a time. */
  total: number;
  /** How many calls may wait. */
  queue: number;
}

/** How many keys without a running call may stay in the map with a count of 0. */
const KEPT_KEYS = 100;

/** Gives the slot back; calling it again does nothing. */
export type Release = () => void;

export interface SlotRequest {
  key: string;
  /** Aborting it ends the waiting. */
  signal?: () => AbortSignal;
  /** True for a call that had a slot before. It waits at the front and is never refused. */
  resumed?: boolean;
}

/** The slots of a pool that one caller holds or waits for. */
export interface SlotUse {
  /** The key, from `callerKey`. */
  readonly key: string;
  readonly held: number;
  readonly waiting: number;
}

interface Waiting {
  /** The key, from `callerKey`. */
  key: string;
  admit(release: Release): void;
  refuse(): void;
}

/**
 * The slots that calls run in. Tenants are served in turn, and so are the callers of each tenant, whatever the length of
 * their queues: a tenant with fifty times the load waits fifty times as long, and delays no other one. A caller without a
 * tenant has turns of its own. Principals never wait for anonymous callers who came later. After the first call of a
 * principal, anonymous callers get at most half of the slots and are served last.
 */
export class SlotPool {
  #running = 0;
  /** How many of them belong to anonymous callers. */
  #anonymous = 0;
  /** True after a principal has called. From then on, anonymous callers get only a share of the slots. */
  #knowsPrincipals = false;
  readonly #byKey = new Map<string, number>();
  /** How many belong to each tenant, where callers have one. */
  readonly #byTenant = new Map<string, number>();
  /**
   * The waiting calls by tenant and key, both in the order in which they are served next. What was served moves to the
   * end.
   */
  readonly #parties = new Map<string, Queues>();
  #waiting = 0;
  /** How many waiting calls are of anonymous callers. */
  #strangers = 0;

  constructor(public limits: SlotLimits) {}

  /** How many calls run, and how many wait. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /** The callers whose calls run or wait. */
  uses(): SlotUse[] {
    const queued = [...this.#parties.values()].flatMap((queues) => [...queues.keys()]);
    const keys = new Set([...this.#byKey.keys(), ...queued]);
    return [...keys].flatMap((key) => {
      const held = this.#byKey.get(key) ?? 0;
      const waiting = this.#queueOf(key)?.length ?? 0;
      return held + waiting > 0 ? [{ key, held, waiting }] : [];
    });
  }

  /** True when a call of this key would have to wait. */
  isBusy(key: string): boolean {
    return !this.#isFree(key) || (this.#waiting > 0 && this.#queueOf(key) !== undefined);
  }

  #queueOf(key: string): Waiting[] | undefined {
    return this.#parties.get(partyOf(key))?.get(key);
  }

  /**
   * Returns a slot, at once if one is free. Returns `undefined` when too many calls wait already, or when the
   * waiting was ended.
   */
  acquire(request: SlotRequest): MaybePromise<Release | undefined> {
    const { key, resumed } = request;
    if (!this.#knowsPrincipals && !isAnonymousKey(key)) this.#knowsPrincipals = true;
    if (resumed ? this.#isFree(key) : !this.isBusy(key)) return this.#occupy(key);
    if (!resumed && this.#waiting >= this.limits.queue && !this.#evict(key)) return undefined;
    return this.#wait(request);
  }

  #isFree(key: string): boolean {
    return this.#running < this.limits.total && this.#hasRoom(partyOf(key)) && this.#isFreeInside(key);
  }

  /** True when a tenant may have one more. */
  #hasRoom(party: string): boolean {
    const { perTenant = Number.POSITIVE_INFINITY } = this.limits;
    // A party is a tenant, or a caller without one.
    const running = this.#byTenant.get(party) ?? this.#byKey.get(party) ?? 0;
    return perTenant === Number.POSITIVE_INFINITY || running < perTenant;
  }

  /** True when a caller may have one more slot, if its tenant may. */
  #isFreeInside(key: string): boolean {
    const { total, perKey } = this.limits;
    if ((this.#byKey.get(key) ?? 0) >= perKey) return false;
    // Once principals call, anonymous callers may use half of the slots. If there is only one slot, they may use it.
    return !this.#knowsPrincipals || this.#anonymous < Math.ceil(total / 2) || !isAnonymousKey(key);
  }

  #occupy(key: string): Release {
    const party = partyOf(key);
    if (party !== key) this.#byTenant.set(party, (this.#byTenant.get(party) ?? 0) + 1);
    this.#running++;
    this.#byKey.set(key, (this.#byKey.get(key) ?? 0) + 1);
    const change = isAnonymousKey(key) ? 1 : 0;
    this.#anonymous += change;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#running--;
      this.#anonymous -= change;
      const left = (this.#byKey.get(key) ?? 1) - 1;
      // Keeping some keys is cheaper: V8 rebuilds a map whose only key comes and goes, every few calls.
      if (left > 0 || this.#byKey.size <= KEPT_KEYS) this.#byKey.set(key, left);
      else this.#byKey.delete(key);
      if (party !== key) this.#leave(party);
      if (this.#waiting > 0) this.#serve();
    };
  }

  #leave(party: string): void {
    const left = (this.#byTenant.get(party) ?? 1) - 1;
    if (left > 0) this.#byTenant.set(party, left);
    else this.#byTenant.delete(party);
  }

  #wait({ key, signal, resumed }: SlotRequest): Promise<Release | undefined> {
    return new Promise((resolve) => {
      const cancelled = resumed ? undefined : signal?.();
      const leave = () => {
        cancelled?.removeEventListener('abort', giveUp);
        this.#remove(waiting);
      };
      const giveUp = () => {
        leave();
        resolve(undefined);
      };
      const waiting: Waiting = {
        key,
        admit(release) {
          leave();
          resolve(release);
        },
        refuse: giveUp,
      };
      if (cancelled?.aborted) return resolve(undefined);
      cancelled?.addEventListener('abort', giveUp, { once: true });
      const party = partyOf(key);
      const queues = getOrMake(this.#parties, party, () => new Map<string, Waiting[]>());
      const queue = getOrMake(queues, key, () => []);
      if (resumed) queue.unshift(waiting);
      else queue.push(waiting);
      this.#waiting++;
      if (isAnonymousKey(key)) this.#strangers++;
    });
  }

  #remove(waiting: Waiting): void {
    const party = partyOf(waiting.key);
    const queues = this.#parties.get(party);
    const queue = queues?.get(waiting.key);
    const index = queue?.indexOf(waiting) ?? -1;
    if (!queues || !queue || index < 0) return;
    queue.splice(index, 1);
    this.#waiting--;
    if (isAnonymousKey(waiting.key)) this.#strangers--;
    if (queue.length === 0) queues.delete(waiting.key);
    if (queues.size === 0) this.#parties.delete(party);
  }

  #serve(): void {
    if (this.#knowsPrincipals) this.#serveEach(false);
    if (!this.#knowsPrincipals || this.#strangers > 0) this.#serveEach(true);
  }

  /** @param all true when anonymous callers are served, too; they get what principals leave */
  #serveEach(all: boolean): void {
    for (const [party, queues] of this.#parties) {
      if (this.#running >= this.limits.total) return;
      // A tenant at its limit may have thousands of callers that wait. No release looks at each of them.
      if (!this.#hasRoom(party)) continue;
      const key = this.#nextOf(queues, all);
      if (key === undefined) continue;
      const queue = queues.get(key)!;
      queues.delete(key);
      queues.set(key, queue);
      this.#parties.delete(party);
      this.#parties.set(party, queues);
      queue[0]!.admit(this.#occupy(key));
      // A party that moves to the end is visited again by this same loop, as long as there is room.
    }
  }

  #nextOf(queues: Queues, all: boolean): string | undefined {
    for (const key of queues.keys()) if ((all || !isAnonymousKey(key)) && this.#isFreeInside(key)) return key;
    return undefined;
  }

  /**
   * Makes room by refusing the newest call of the longest queue of the tenant that waits most, if the caller's own tenant
   * waits less; else of its own tenant, if the caller's own queue is still shorter. A principal always takes the place of an
   * anonymous caller, and never loses its own place to one.
   */
  #evict(key: string): boolean {
    const isAnonymous = isAnonymousKey(key);
    const strangers = this.#strangers > 0 ? this.#longest(isAnonymousKey) : undefined;
    if (!isAnonymous && strangers) return refuseNewest(longest(strangers));
    const rivals = isAnonymous ? strangers : this.#longest(() => true);
    const own = this.#parties.get(partyOf(key));
    if (rivals && rivals !== own && waitingIn(rivals) > waitingIn(own) + 1)
      return refuseNewest(longest(rivals));
    const inside = own ? longest(own) : [];
    return inside.length > (own?.get(key)?.length ?? 0) + 1 && refuseNewest(inside);
  }

  /** The tenant or caller that waits most, of some. */
  #longest(of: (party: string) => boolean): Queues | undefined {
    let found: Queues | undefined;
    for (const [party, queues] of this.#parties)
      if (of(party) && waitingIn(queues) > waitingIn(found)) found = queues;
    return found;
  }
}

/** The waiting calls of each key of a tenant, or of the one key of a caller without a tenant. */
type Queues = Map<string, Waiting[]>;

const waitingIn = (queues: Queues | undefined) =>
  [...(queues?.values() ?? [])].reduce((sum, { length }) => sum + length, 0);

function longest(queues: Queues): readonly Waiting[] {
  return [...queues.values()].reduce((found, each) => (each.length > found.length ? each : found));
}

function refuseNewest(queue: readonly Waiting[]): boolean {
  queue.at(-1)!.refuse();
  return true;
}
