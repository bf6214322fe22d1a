import type { CallError } from '../sandbox/messages.js';

/** What is known of a program from its earlier rounds. It is JSON. */
export interface JournalState {
  /** What its random numbers begin with. */
  readonly seed: number;
  /** What its clock showed when it began, in milliseconds since the epoch. */
  readonly began: number;
  /** The calls of tools and the sleeps that it has begun, in their order. The number of the first one is 1. */
  readonly begun: Begun[];
  /** What has ended, in the order in which the program heard of it. */
  readonly ended: Ended[];
}

/** A call that a program has begun. */
export interface Begun {
  /** The tool, by the name of exactly one version; `undefined` for a sleep. */
  readonly tool?: string;
  /** Of the arguments of a call, or how long a sleep takes. */
  readonly digest: string;
  /** Of the tool: a release may have changed it. */
  readonly contract?: string;
  /** The round ended with a question of it. It goes on with the answers. */
  asked?: true;
}

/** A call or a sleep that is over. */
export interface Ended {
  readonly number: number;
  /** What the clock showed then. */
  readonly at: number;
  /** The value as JSON. Without one and without an error, a sleep is over. */
  readonly value?: string;
  readonly error?: CallError;
}

/** A program takes another way than it took before, so what was recorded does not belong to it. */
export class DivergedError extends Error {
  override readonly name = 'DivergedError';
}

/** What a program has done so far. A later round makes none of it again. */
export class Journal {
  /** How many outcomes the program has heard of in this run. */
  #heard = 0;
  /** How many calls it has begun in this run. */
  #seen = 0;

  constructor(readonly state: JournalState) {}

  static begin(seed: number, now: number): Journal {
    return new Journal({ seed, began: now, begun: [], ended: [] });
  }

  /**
   * Notes that the program begins a call, or finds that it did so in an earlier run.
   *
   * @returns what is known of it from an earlier run
   * @throws {DivergedError} if it was another call
   */
  begin(begun: Begun): Begun | undefined {
    const known = this.state.begun[this.#seen++];
    if (!known) {
      this.state.begun.push(begun);
      return undefined;
    }
    if (known.tool !== begun.tool || known.digest !== begun.digest)
      throw new DivergedError('The program takes another way than in the round before.');
    if (known.contract !== begun.contract)
      throw new DivergedError(`The tool "${begun.tool ?? ''}" has changed since the round before.`);
    return known;
  }

  /** What the program hears of next, from an earlier run. */
  nextRecorded(): Ended | undefined {
    const next = this.state.ended[this.#heard];
    if (next) this.#heard++;
    return next;
  }

  /** Whether an earlier run knows the end of a call. */
  hasEnded(number: number): boolean {
    return this.state.ended.some((ended) => ended.number === number);
  }

  end(ended: Ended): void {
    this.state.ended.push(ended);
    this.#heard = this.state.ended.length;
  }

  /** How many calls of tools it has begun, over all rounds. */
  get calls(): number {
    return this.state.begun.filter(({ tool }) => tool !== undefined).length;
  }
}
