import type { StoreHealth, StorePorts } from '@toolwright/core/ports';
import { growingPause, reasonOf } from '@toolwright/json';
import { type PostgresError, isRefused } from '../errors.js';

/** What a keeper keeps up. */
export interface Kept {
  /** The name that operators know it by. */
  readonly name: string;
  /** Brings it up. */
  raise(): Promise<void>;
  /** Asks whether it is still up. */
  check(): Promise<void>;
  /** Is called when it is down, and when it is kept no longer. */
  lower?(): void;
  /** Is called when it is up. `isFirst` is true only when the first attempt has succeeded. */
  raised?(isFirst: boolean): void;
}

/**
 * Keeps something up. It asks now and then whether it still is. When it is not, it tries again, with growing pauses.
 * It logs when it goes down and when it comes back, and not every attempt.
 */
export class Keeper {
  #isUp = false;
  #since: number;
  #attempts = 0;
  #failures = 0;
  #isStopped = false;
  #stopClock = () => {};

  constructor(
    private readonly kept: Kept,
    private readonly ports: StorePorts,
    private readonly checkInterval: number,
  ) {
    this.#since = ports.clock.now();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get health(): StoreHealth {
    return { store: this.kept.name, up: this.#isUp, since: this.#since };
  }

  /** @returns when the first attempt is over; with its error if Postgres refuses what the options ask for */
  async start(): Promise<PostgresError | undefined> {
    const error = await this.#attempt();
    return isRefused(error) ? (error as PostgresError) : undefined;
  }

  /** Says that it is down. The owner calls this when a use of it fails. */
  lost(error: unknown): void {
    if (!this.#isUp || this.#isStopped) return;
    this.#isUp = false;
    this.#since = this.ports.clock.now();
    this.#tellAway(error);
    this.kept.lower?.();
    this.#retry();
  }

  stop(): void {
    this.#isStopped = true;
    this.#isUp = false;
    this.#stopClock();
    this.kept.lower?.();
  }

  async #attempt(): Promise<unknown> {
    const isFirst = this.#attempts++ === 0;
    try {
      await this.kept.raise();
    } catch (error) {
      // What has come up halfway is taken down, also after `stop`: nobody else would close it.
      this.kept.lower?.();
      if (this.#isStopped) return error;
      if (isFirst) this.#tellAway(error);
      this.#retry();
      return error;
    }
    if (this.#isStopped) this.kept.lower?.();
    else this.#rise(isFirst);
    return undefined;
  }

  #rise(isFirst: boolean): void {
    this.#isUp = true;
    this.#since = this.ports.clock.now();
    this.#failures = 0;
    if (!isFirst) this.ports.logger.info({ store: this.kept.name }, 'Postgres answers again');
    this.#wait(this.checkInterval, () => this.#check());
    this.kept.raised?.(isFirst);
  }

  async #check(): Promise<void> {
    try {
      await this.kept.check();
      if (this.#isUp) this.#wait(this.checkInterval, () => this.#check());
    } catch (error) {
      this.lost(error);
    }
  }

  #retry(): void {
    // A database that comes back is not asked by all processes at once.
    this.#wait(growingPause(this.#failures++, RETRY, Math.random()), () => this.#attempt());
  }

  #wait(ms: number, run: () => Promise<unknown>): void {
    this.#stopClock();
    this.#stopClock = this.ports.clock.after(ms, () => void run());
  }

  #tellAway(error: unknown): void {
    const fields = { store: this.kept.name, reason: reasonOf(error) };
    if (isRefused(error)) this.ports.logger.error(fields, 'Postgres refuses');
    else this.ports.logger.warn(fields, 'Postgres is away');
  }
}

const RETRY = { firstMs: 100, longestMs: 5_000 };
