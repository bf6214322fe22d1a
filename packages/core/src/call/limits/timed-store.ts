import { isPromise, type MaybePromise } from '../../base/maybe-promise.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import { Outage } from './outage.js';
import { STORE_TIMEOUT_MS, within } from './within.js';

/** What a store has answered. `undefined`: it has not answered in time, or has failed. */
export type Answer<T> = { readonly value: T } | undefined;

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
