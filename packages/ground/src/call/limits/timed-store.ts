import { type MaybePromise, isPromise } from '@toolwright/json';
import { type Clock, monotonic } from '../../ports/clock-and-ids.js';
import type { Logger } from '../../ports/logger.js';
import { STORE_TIMEOUT_MS } from '../../ports/rate-limiter.js';

/** What a store has answered. `undefined`: it has not answered in time, or has failed. */
type Answer<T> = { readonly value: T } | undefined;

export interface TimedStoreOptions {
  /** How long the store may take. Default 50. */
  readonly patienceMs?: number | undefined;
  /** What the log says that happens while the store does not answer. */
  readonly consequence?: string;
}

/**
 * Asks a store while a caller waits. The answer may take 50 ms, or the time that the store names (`patienceMs`).
 * After a late answer, callers no longer wait for the store. One question at a time then finds out whether it answers
 * in time again.
 */
export class TimedStore {
  readonly #outage: Outage;
  readonly #patienceMs: number;
  #isLate = false;
  #isAsking = false;
  /** The calls that went on without an answer since the store answered last. */
  #without = 0;

  /** @param name as operators know it, such as `store of the rate limiter` */
  constructor(
    private readonly name: string,
    private readonly ports: { readonly clock: Clock; readonly logger: Logger },
    { patienceMs = STORE_TIMEOUT_MS, consequence }: TimedStoreOptions = {},
  ) {
    this.#patienceMs = patienceMs;
    this.#outage = new Outage(name, ports.logger, consequence);
  }

  /**
   * @param question asks the store
   * @param unwanted gets an answer that came too late for its caller
   */
  ask<T>(question: () => MaybePromise<T>, unwanted?: (value: T) => void): MaybePromise<Answer<T>> {
    if (!this.#isLate) return this.#ask(question, unwanted);
    this.#without += 1;
    if (this.#isAsking) return undefined;
    this.#isAsking = true;
    void (async () => {
      const answer = await this.#ask(question, unwanted, false);
      this.#isAsking = false;
      if (answer) unwanted?.(answer.value);
    })();
    return undefined;
  }

  /** The store has failed in another way. */
  failed(error: unknown): void {
    this.#outage.failed(error);
  }

  /** @param isAwaited false for a question that only finds out whether the store answers */
  #ask<T>(
    question: () => MaybePromise<T>,
    unwanted?: (value: T) => void,
    isAwaited = true,
  ): MaybePromise<Answer<T>> {
    let asked: MaybePromise<T>;
    try {
      asked = question();
    } catch (error) {
      return this.#settle(error, { isAwaited });
    }
    if (!isPromise(asked)) return this.#answered(asked);
    const promised = asked as Promise<T>;
    let isLate = false;
    const tooLate = () => {
      isLate = true;
      promised.then(unwanted, () => undefined);
      return new Error(`The ${this.name} took longer than ${this.#patienceMs} ms.`);
    };
    return within(promised, { clock: this.ports.clock, ms: this.#patienceMs, tooLate }).then(
      (value) => this.#answered(value),
      (error: unknown) => this.#settle(error, { isLate, isAwaited }),
    );
  }

  #answered<T>(value: T): Answer<T> {
    this.#isLate = false;
    this.#outage.answered({ calls: this.#without });
    this.#without = 0;
    return { value };
  }

  /** A store that fails at once delays no caller, so it is asked each time. */
  #settle(
    error: unknown,
    { isLate = false, isAwaited }: { isLate?: boolean; isAwaited: boolean },
  ): undefined {
    this.#isLate = isLate;
    if (isAwaited) this.#without += 1;
    this.#outage.failed(error);
    return undefined;
  }
}

const SLICES = 5;
/** The most slices that a caller waits for, however busy the process is. */
const MOST_SLICES = 4 * SLICES;
/** A timer that fires this many milliseconds late shows that the process or the machine was busy. */
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
 * A busy process neither sends nor reads, so its pauses must not count as delays of the store. A timer that fires
 * late shows such a pause. The time is therefore cut into slices, and a slice whose timer fired late does not count.
 * After the last slice, the sockets get one more turn.
 */
export function within<T>(work: Promise<T>, { clock, ms, tooLate }: Bound): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = () => reject(tooLate());
    const slice = ms / SLICES;
    let left = SLICES;
    let most = MOST_SLICES;
    let stopClock: () => void;
    const wait = () => {
      const began = monotonic(clock);
      stopClock = clock.after(slice, () => {
        most -= 1;
        if (monotonic(clock) - began <= slice + LATE_MS) left -= 1;
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

/**
 * Notices when a store stops and starts to answer. It logs both, once: a line per call would flood the log. A store that
 * answers, and refuses, such as for a missing right, throws an error with `isRefusal: true`.
 */
export class Outage {
  #isAway = false;

  constructor(
    /** As operators know it, such as `store of the rate limiter`. */
    private readonly store: string,
    private readonly logger: Logger,
    /** What does not work while the store is away. */
    private readonly consequence?: string,
  ) {}

  /** @returns undefined when the store has failed */
  async ask<T>(question: () => MaybePromise<T>): Promise<{ readonly value: T } | undefined> {
    try {
      const value = await question();
      this.answered();
      return { value };
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  /** @param fields what the log says beside it, when the store was away */
  answered(fields: Readonly<Record<string, unknown>> = {}): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.logger.info(fields, `The ${this.store} answers again`);
  }

  failed(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const { isRefusal } = (error ?? {}) as { isRefusal?: unknown };
    const problem = isRefusal === true ? 'refuses what this server asks of it' : 'does not answer';
    const consequence = this.consequence === undefined ? '' : `; ${this.consequence}`;
    this.logger.error({ err: error }, `The ${this.store} ${problem}${consequence}`);
  }
}
