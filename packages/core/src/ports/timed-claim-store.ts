import type { ClaimOwner, ClaimStore } from './claim-store.js';
import type { Clock } from './clock.js';

/** The time is short: a caller waits for the answer, and no other store can give it. */
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
