import type { MaybePromise } from '../../base/maybe-promise.js';
import { isAnonymousKey } from './caller-key.js';

export interface SlotLimits {
  /** Calls of one key that run at a time. */
  perKey: number;
  /** Calls of all keys that run at a time. */
  total: number;
  /** Calls that may wait. */
  queue: number;
}

/** Keys without a running call whose count of 0 may stay. */
const KEPT_KEYS = 100;

/** Gives the slot back; calling it again does nothing. */
export type Release = () => void;

export interface SlotRequest {
  key: string;
  /** Gives up waiting when aborted. */
  signal?: () => AbortSignal;
  /** Goes on with a call that had a slot before: waits at the front, and is never refused. */
  resumed?: boolean;
}

interface Waiting {
  /** As `callerKey` names it. */
  key: string;
  admit(release: Release): void;
  refuse(): void;
}

/**
 * Slots to run in. Who has to wait is served in turn with the other keys, whatever the length of its own queue: a caller
 * with fifty times the load waits fifty times as long, and nobody else does. Principals never wait for anonymous callers
 * who came later: those run in half of the slots at most, from the first call of a principal on, and are served last.
 */
export class SlotPool {
  #running = 0;
  /** Of them, calls of anonymous callers. */
  #anonymous = 0;
  /** A principal has called: from then on, anonymous callers have a share. */
  #knowsPrincipals = false;
  readonly #byKey = new Map<string, number>();
  /** In the order in which the keys are served next: a key that was served goes to the end. */
  readonly #queues = new Map<string, Waiting[]>();
  #waiting = 0;

  constructor(public limits: SlotLimits) {}

  /** Calls that run, and that wait. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /** True when a call of this key would have to wait. */
  isBusy(key: string): boolean {
    return !this.#isFree(key) || this.#queues.has(key);
  }

  /** A slot, at once where one is free; undefined when too many wait already or the wait was given up. */
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
      // A map whose only key comes and goes is built anew every few calls.
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

  /** @param all anonymous callers as well, who get what principals leave */
  #serveEach(all: boolean): void {
    for (const [key, queue] of this.#queues) {
      if (this.#running >= this.limits.total) return;
      if (!all && isAnonymousKey(key)) continue;
      const [first] = queue;
      if (!first || !this.#isFree(key)) continue;
      this.#queues.delete(key);
      this.#queues.set(key, queue);
      first.admit(this.#occupy(key));
      // A key at the end is visited again by this very loop, as long as there is room for it.
    }
  }

  /**
   * Makes room by refusing the newest of the longest queue, if the caller's own stays shorter than that. A principal takes
   * the place of an anonymous caller in any case, and never loses its own to one.
   */
  #evict(key: string): boolean {
    const anonymous = longest(this.#queues, isAnonymousKey);
    if (!isAnonymousKey(key) && anonymous.length > 0) return refuseNewest(anonymous);
    const rivals = isAnonymousKey(key) ? anonymous : longest(this.#queues, () => true);
    const own = this.#queues.get(key)?.length ?? 0;
    return rivals.length > own + 1 && refuseNewest(rivals);
  }
}

/** What anonymous callers may run of so many slots once principals call as well. Of a single slot it is that one. */
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
