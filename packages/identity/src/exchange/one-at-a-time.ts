import { type ClaimStore, type Clock, type Logger, monotonic } from '@toolwright/core/ports';

/** Something that one process of all does, while the others wait for its result. */
export interface SingleRun<T> {
  /** All processes have the same name for it. */
  readonly name: string;
  /** The longest time that `work` takes, in milliseconds. */
  readonly timeoutMs: number;
  /** Looks for the result of another process. `undefined`: there is none yet. */
  look(): Promise<{ readonly found: T } | undefined>;
  /** Comes to the result. No other process does so meanwhile. */
  work(): Promise<T>;
  /** What is thrown when nobody can say whose turn it is. Default: what the store has thrown. */
  unclaimed?(error: unknown): Error;
}

/** How often a process looks whether another one has come to its result, in milliseconds. */
const LOOK_MS = 50;
/** How much longer than the work a claim lives. */
const CLAIM_SPARE_MS = 5_000;

/**
 * Lets one process of all do something at a time: it holds a claim meanwhile. The others look for what it has stored, or
 * take over when the claim is free again.
 */
export class OneAtATime {
  constructor(
    private readonly ports: { readonly claims: ClaimStore; readonly clock: Clock; readonly logger: Logger },
  ) {}

  /**
   * The caller has looked before, so this begins with the claim.
   *
   * @returns `undefined` when nobody came to a result in time
   */
  async run<T>(turn: SingleRun<T>): Promise<{ readonly found: T } | { readonly made: T } | undefined> {
    const { clock } = this.ports;
    const lifeMs = turn.timeoutMs + CLAIM_SPARE_MS;
    const giveUpAt = monotonic(clock) + 2 * lifeMs;
    while (monotonic(clock) < giveUpAt) {
      if (await this.#claim(turn, lifeMs))
        try {
          // Between the last look and the claim, another process may have come to its end.
          return (await turn.look()) ?? { made: await turn.work() };
        } finally {
          await this.#release(turn.name);
        }
      await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
      const other = await turn.look();
      if (other) return other;
    }
    return undefined;
  }

  async #claim({ name, unclaimed }: SingleRun<unknown>, lifeMs: number): Promise<boolean> {
    try {
      return await this.ports.claims.claim(name, lifeMs);
    } catch (error) {
      throw unclaimed ? unclaimed(error) : error;
    }
  }

  /** A claim that cannot be given back ends by itself. The result is there in any case. */
  async #release(name: string): Promise<void> {
    try {
      await this.ports.claims.release(name);
    } catch (err) {
      this.ports.logger.debug({ err }, 'A claim could not be given back');
    }
  }
}
