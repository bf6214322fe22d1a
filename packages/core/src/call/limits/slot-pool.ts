import type { MaybePromise } from '../../base/maybe-promise.js';
import { isAnonymousKey } from '../operation/keys.js';

export interface SlotLimits {
  /** How many calls of one key may run at a time. */
  perKey: number;
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
 * The slots that calls run in. Waiting keys are served in turn, whatever the length of their queues: a caller with
 * fifty times the load waits fifty times as long, and delays no other caller. Principals never wait for anonymous
 * callers who came later. After the first call of a principal, anonymous callers get at most half of the slots and
 * are served last.
 */
export class SlotPool {
  #running = 0;
  /** How many of them belong to anonymous callers. */
  #anonymous = 0;
  /** True after a principal has called. From then on, anonymous callers get only a share of the slots. */
  #knowsPrincipals = false;
  readonly #byKey = new Map<string, number>();
  /**
   * The waiting calls, in the order in which their keys are served next. A key that was served moves to the
   * end.
   */
  readonly #queues = new Map<string, Waiting[]>();
  #waiting = 0;

  constructor(public limits: SlotLimits) {}

  /** How many calls run, and how many wait. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /** The callers whose calls run or wait. */
  uses(): SlotUse[] {
    const keys = new Set([...this.#byKey.keys(), ...this.#queues.keys()]);
    return [...keys].flatMap((key) => {
      const held = this.#byKey.get(key) ?? 0;
      const waiting = this.#queues.get(key)?.length ?? 0;
      return held + waiting > 0 ? [{ key, held, waiting }] : [];
    });
  }

  /** True when a call of this key would have to wait. */
  isBusy(key: string): boolean {
    return !this.#isFree(key) || this.#queues.has(key);
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
    const { total, perKey } = this.limits;
    if (this.#running >= total || (this.#byKey.get(key) ?? 0) >= perKey) return false;
    return !this.#knowsPrincipals || this.#anonymous < shareOf(total) || !isAnonymousKey(key);
  }

  #occupy(key: string): Release {
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
      if (this.#waiting > 0) this.#serve();
    };
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
      const queue = this.#queues.get(key);
      if (!queue) this.#queues.set(key, [waiting]);
      else if (resumed) queue.unshift(waiting);
      else queue.push(waiting);
      this.#waiting++;
    });
  }

  #remove(waiting: Waiting): void {
    const queue = this.#queues.get(waiting.key);
    const index = queue?.indexOf(waiting) ?? -1;
    if (!queue || index < 0) return;
    queue.splice(index, 1);
    this.#waiting--;
    if (queue.length === 0) this.#queues.delete(waiting.key);
  }

  #serve(): void {
    if (this.#knowsPrincipals) this.#serveEach(false);
    this.#serveEach(true);
  }

  /** @param all true when anonymous callers are served, too; they get what principals leave */
  #serveEach(all: boolean): void {
    for (const [key, queue] of this.#queues) {
      if (this.#running >= this.limits.total) return;
      if (!all && isAnonymousKey(key)) continue;
      const [first] = queue;
      if (!first || !this.#isFree(key)) continue;
      this.#queues.delete(key);
      this.#queues.set(key, queue);
      first.admit(this.#occupy(key));
      // A key that moves to the end is visited again by this same loop, as long as there is room.
    }
  }

  /**
   * Makes room by refusing the newest call of the longest queue, if the caller's own queue is still shorter.
   * A principal always takes the place of an anonymous caller, and never loses its own place to one.
   */
  #evict(key: string): boolean {
    const anonymous = longest(this.#queues, isAnonymousKey);
    if (!isAnonymousKey(key) && anonymous.length > 0) return refuseNewest(anonymous);
    const rivals = isAnonymousKey(key) ? anonymous : longest(this.#queues, () => true);
    const own = this.#queues.get(key)?.length ?? 0;
    return rivals.length > own + 1 && refuseNewest(rivals);
  }
}

/**
 * How many of these slots anonymous callers may use once principals call, too. If there is only one slot,
 * they may use it.
 */
function shareOf(total: number): number {
  return Math.ceil(total / 2);
}

function longest(queues: ReadonlyMap<string, Waiting[]>, of: (key: string) => boolean): readonly Waiting[] {
  let found: readonly Waiting[] = [];
  for (const [key, queue] of queues) if (of(key) && queue.length > found.length) found = queue;
  return found;
}

function refuseNewest(queue: readonly Waiting[]): boolean {
  queue.at(-1)!.refuse();
  return true;
}
