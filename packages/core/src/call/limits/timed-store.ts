import { type MaybePromise, isPromise } from '../../base/maybe-promise.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';

/** What a store has answered. `undefined`: it has not answered in time, or has failed. */
type Answer<T> = { readonly value: T } | undefined;

/**
 * Asks a store that callers wait for. It takes 50 ms at most, or as long as the store says. After an answer that was late, nobody waits until
 * one comes in time: one question at a time finds that out.
 */
export class TimedStore {
  readonly #outage: Outage;
  #isLate = false;
  #isAsking = false;

  /**
   * @param name as operators know it, such as `store of the rate limiter`
   * @param patienceMs how long it may take
   */
  constructor(
    private readonly name: string,
    private readonly ports: { readonly clock: Clock; readonly logger: Logger },
    private readonly patienceMs = STORE_TIMEOUT_MS,
  ) {
    this.#outage = new Outage(name, ports.logger);
  }

  /**
   * @param question asks the store
   * @param unwanted gets an answer that nobody waits for any more
   */
  ask<T>(question: () => MaybePromise<T>, unwanted?: (value: T) => void): MaybePromise<Answer<T>> {
    if (!this.#isLate) return this.#ask(question, unwanted);
    if (this.#isAsking) return undefined;
    this.#isAsking = true;
    void (async () => {
      const answer = await this.#ask(question, unwanted);
      this.#isAsking = false;
      if (answer) unwanted?.(answer.value);
    })();
    return undefined;
  }

  /** The store has failed in another way. */
  failed(error: unknown): void {
    this.#outage.failed(error);
  }

  #ask<T>(question: () => MaybePromise<T>, unwanted?: (value: T) => void): MaybePromise<Answer<T>> {
    let asked: MaybePromise<T>;
    try {
      asked = question();
    } catch (error) {
      return this.#settle(error);
    }
    if (!isPromise(asked)) return this.#answered(asked);
    const promised = asked as Promise<T>;
    let isLate = false;
    const tooLate = () => {
      isLate = true;
      promised.then(unwanted, () => undefined);
      return new Error(`The ${this.name} took longer than ${this.patienceMs} ms.`);
    };
    return within(promised, { clock: this.ports.clock, ms: this.patienceMs, tooLate }).then(
      (value) => this.#answered(value),
      (error: unknown) => this.#settle(error, isLate),
    );
  }

  #answered<T>(value: T): Answer<T> {
    this.#isLate = false;
    this.#outage.answered();
    return { value };
  }

  /** A store that fails at once makes nobody wait, so it may be asked each time. */
  #settle(error: unknown, isLate = false): undefined {
    this.#isLate = isLate;
    this.#outage.failed(error);
    return undefined;
  }
}

/** A shared store that takes longer counts as away, because a caller waits for its answer. In milliseconds. */
const STORE_TIMEOUT_MS = 50;

const SLICES = 5;
/** Nobody waits for ever, however busy the process is. */
const MOST_SLICES = 4 * SLICES;
/** A timer that comes later than this was held up by the process or by the machine. */
const LATE_MS = 5;

interface Bound {
  clock: Clock;
  ms: number;
  /** Creates the error for the case that the time is over. */
  tooLate(): Error;
}

/**
 * The result of `work`, or `tooLate` after `ms`. A later result of `work` is ignored.
 *
 * Time in which this process was busy, or was not given the CPU, is not the fault of the store: nothing was sent or
 * read meanwhile. Such a process finds its timers due late. So the time has slices, and one whose timer was late does
 * not count. At the end, the sockets get one more turn. Otherwise each pause of a process would count as an outage of
 * the store.
 */
export function within<T>(work: Promise<T>, { clock, ms, tooLate }: Bound): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = () => reject(tooLate());
    const slice = ms / SLICES;
    let left = SLICES;
    let most = MOST_SLICES;
    let stopClock: () => void;
    const wait = () => {
      const began = clock.now();
      stopClock = clock.after(slice, () => {
        most -= 1;
        if (clock.now() - began <= slice + LATE_MS) left -= 1;
        if (left > 0 && most > 0) wait();
        else setImmediate(expire);
      });
    };
    wait();
    work.then(
      (value) => {
        stopClock();
        resolve(value);
      },
      (error: unknown) => {
        stopClock();
        reject(error as Error);
      },
    );
  });
}

/** Notices when a store stops and starts to answer. It logs both, once: a line per call would flood the log. */
export class Outage {
  #isAway = false;

  constructor(
    /** As operators know it, such as `store of the rate limiter`. */
    private readonly store: string,
    private readonly logger: Logger,
    /** What does not work meanwhile. */
    private readonly consequence?: string,
  ) {}

  answered(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.logger.info({}, `The ${this.store} answers again`);
  }

  failed(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const consequence = this.consequence === undefined ? '' : `; ${this.consequence}`;
    this.logger.error({ err: error }, `The ${this.store} does not answer${consequence}`);
  }
}
