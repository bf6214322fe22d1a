import { digest } from '@toolwright/core/extend';
import { type Clock, monotonic } from '@toolwright/core/ports';
import { getOrMake } from '@toolwright/json';
import { TimedCache } from '../exchange/timed-cache.js';
import { type CalledOperation, type DecisionSubject, inputOf } from './decision-input.js';

/**
 * How long the last answer about a list counts where nobody can wait for another one, such as for a completion or a
 * subscription, in milliseconds. What such a request may do beyond that is decided again.
 */
const SEEN_MS = 300_000;
/** Callers times operations. The answers that were unused for longest are forgotten, and their operations count as hidden. */
const MOST = 50_000;

const NOBODY = {};

/** Which operations a caller may know of, as the engine has said last. What it was not asked about is hidden. */
export class SeenOperations {
  readonly #seen: TimedCache<{ readonly may: boolean; readonly until: number }>;
  /** Making a key takes longer than all the rest, and a principal is asked about many operations. */
  readonly #keys = new WeakMap<object, WeakMap<object, string>>();

  constructor(private readonly clock: Clock) {
    this.#seen = new TimedCache({ now: () => monotonic(clock) }, MOST);
  }

  note(operation: CalledOperation, principal: DecisionSubject, may: boolean): void {
    this.#seen.set(this.#keyOf(operation, principal), { may, until: monotonic(this.clock) + SEEN_MS });
  }

  may(operation: CalledOperation, principal: DecisionSubject): boolean {
    return this.#seen.get(this.#keyOf(operation, principal))?.may === true;
  }

  #keyOf(operation: CalledOperation, principal: DecisionSubject): string {
    const of = principal ?? NOBODY;
    const keys = getOrMake(this.#keys, of, () => new WeakMap());
    // All claims: two people whom the named claims do not tell apart are still two.
    const claims = () => Object.keys(principal?.claims ?? {});
    return getOrMake(keys, operation, () =>
      digest(inputOf('list', { operation, principal, claims: claims() })),
    );
  }
}
