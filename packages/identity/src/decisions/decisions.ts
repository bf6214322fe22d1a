import { digest } from '@toolwright/core/extend';
import { type Clock, monotonic } from '@toolwright/core/ports';
import { cutText } from '@toolwright/json';
import { TimedCache } from '../exchange/timed-cache.js';
import type { Decide, Decision, DecisionInput } from './decision.js';

/** Where a decision came from: `asked` the engine, `shared` the answer to another call, `cached` an earlier one. */
export type DecisionSource = 'asked' | 'shared' | 'cached';

export interface Decided extends Decision {
  readonly source: DecisionSource;
}

export interface DecisionsSettings {
  readonly decide: Decide;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** How long a decision counts. 0: it is asked for each time. */
  readonly cacheMs: number;
  readonly maxCached: number;
}

/** How many different questions wait for the engine. More are refused, because it does not keep up. */
const MOST_WAITING = 1_000;
/** Of what an engine says, in characters. It goes into the audit log. */
const LONGEST_TEXT = 500;

/**
 * The decisions of one engine. Equal questions are asked once, however many calls wait, and their answer counts for a while.
 * A failure is kept by nobody: the next call asks again.
 */
export class Decisions {
  readonly #kept: TimedCache<{ readonly decision: Decision; readonly until: number }>;
  readonly #waiting = new Map<string, Promise<Decision>>();

  constructor(private readonly settings: DecisionsSettings) {
    this.#kept = new TimedCache({ now: () => monotonic(settings.clock) }, settings.maxCached);
  }

  /** @throws when the engine fails, answers nothing of use, or takes too long */
  async get(input: DecisionInput): Promise<Decided> {
    const { clock, cacheMs } = this.settings;
    const key = digest(input);
    const kept = this.#kept.get(key);
    if (kept) return { ...kept.decision, source: 'cached' };
    const waiting = this.#waiting.get(key);
    if (waiting) return { ...(await waiting), source: 'shared' };
    if (this.#waiting.size >= MOST_WAITING) throw new Error('The policy engine does not keep up.');
    const asking = this.#ask(input).finally(() => this.#waiting.delete(key));
    this.#waiting.set(key, asking);
    const decision = await asking;
    if (cacheMs > 0) this.#kept.set(key, { decision, until: monotonic(clock) + cacheMs });
    return { ...decision, source: 'asked' };
  }

  async #ask(input: DecisionInput): Promise<Decision> {
    const { decide, clock, timeoutMs } = this.settings;
    const deadline = new AbortController();
    let stopClock = () => {};
    const tooLate = new Promise<never>((_, reject) => {
      stopClock = clock.after(timeoutMs, () => {
        const error = new Error(`The policy engine took longer than ${timeoutMs} ms.`);
        reject(error);
        deadline.abort(error);
      });
    });
    try {
      const answering = (async (): Promise<unknown> => decide(input, deadline.signal))();
      // After the deadline nobody waits for the answer, and an error that comes later must not end the process.
      answering.catch(() => undefined);
      return checked(await Promise.race([answering, tooLate]));
    } finally {
      stopClock();
    }
  }
}

/** An answer without a clear yes or no is an error, and never a yes. */
function checked(answer: unknown): Decision {
  const { allow, id, reason } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof allow !== 'boolean') throw new TypeError('The decision has no "allow" that is true or false.');
  return {
    allow,
    ...(typeof id === 'string' && { id: cutText(id, LONGEST_TEXT) }),
    ...(typeof reason === 'string' && { reason: cutText(reason, LONGEST_TEXT) }),
  };
}
