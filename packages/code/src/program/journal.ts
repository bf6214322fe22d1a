import type { RequestContext } from '@toolwright/core';
import type { CallError } from '../sandbox/messages.js';

/** What is known of a program from its earlier rounds. It is JSON. */
export interface JournalState {
  /** What its random numbers begin with. */
  readonly seed: number;
  /** What its clock showed when it began, in milliseconds since the epoch. */
  readonly began: number;
  /** The calls of tools and the sleeps that it has begun, in their order. The number of the first one is 1. */
  readonly begun: Begun[];
  /** What has ended, in the order in which the program hears of it. */
  readonly ended: Ended[];
}

/** A call that a program has begun. */
export interface Begun {
  /** The tool, by the name of exactly one version; `undefined` for a sleep. */
  readonly tool?: string;
  /** Of the arguments of a call, or how long a sleep takes. */
  readonly digest: string;
  /** Of the tool: a release may have changed it. `undefined`: no tool has this name. */
  readonly contract?: string;
  /** A round ended with a question of it. It goes on with the answers. */
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
  /** A guard refused the call, or its person did: its tool did nothing. */
  readonly isRefused?: boolean;
}

/** A program takes another way than it took before, so what was recorded does not belong to it. */
export class DivergedError extends Error {
  override readonly name = 'DivergedError';
}

/** Stores each entry as a step of the call, where a run may be lost in the middle. */
type Steps = Pick<Required<RequestContext['input']>, 'recall' | 'step'>;

/** The keys of the entries among the steps. No inner call has such a key. */
const keys = {
  start: 'program/start',
  begun: (number: number) => `program/begun/${number}`,
  asked: (number: number) => `program/asked/${number}`,
  ended: (place: number) => `program/ended/${place}`,
};

/** What a program has done so far. A later round makes none of it again. */
export class Journal {
  /** How many outcomes the program has heard of in this run. */
  #heard = 0;
  /** How many calls it has begun in this run. */
  #seen = 0;
  #calls: number;
  #ending = Promise.resolve();
  /** The outcomes of earlier runs, by the number of the call. */
  readonly #earlier: ReadonlyMap<number, Ended>;

  constructor(
    readonly state: JournalState,
    private readonly steps?: Steps,
  ) {
    this.#calls = state.begun.filter(({ tool }) => tool !== undefined).length;
    this.#earlier = new Map(state.ended.map((ended) => [ended.number, ended]));
  }

  static begin(seed: number, began: number): Journal {
    return new Journal({ seed, began, begun: [], ended: [] });
  }

  /** The journal of a run on a queue: all that the runs before it have stored. */
  static async ofSteps(steps: Steps, first: Pick<JournalState, 'seed' | 'began'>): Promise<Journal> {
    const { seed, began } = await steps.step(keys.start, () => first, true);
    const begun: Begun[] = [];
    const ended: Ended[] = [];
    const read = <T>(key: string) => steps.recall(key)?.value as T | undefined;
    for (let next; (next = read<Begun>(keys.begun(begun.length + 1)));) begun.push({ ...next });
    for (let next; (next = read<Ended>(keys.ended(ended.length)));) ended.push(next);
    begun.forEach((each, index) => read(keys.asked(index + 1)) && (each.asked = true));
    return new Journal({ seed, began, begun, ended }, steps);
  }

  /**
   * Notes that the program begins a call, or finds that it did so in an earlier run.
   *
   * @returns what is known of it from an earlier run
   * @throws {DivergedError} if it was another call
   */
  async begin(begun: Begun): Promise<Begun | undefined> {
    const known = this.state.begun[this.#seen++];
    if (!known) {
      this.state.begun.push(begun);
      if (begun.tool !== undefined) this.#calls++;
      await this.#store(keys.begun(this.#seen), begun);
      return undefined;
    }
    if (known.tool !== begun.tool || known.digest !== begun.digest)
      throw new DivergedError('The program takes another way than in the round before.');
    if (known.contract !== begun.contract)
      throw new DivergedError(`The tool "${begun.tool ?? ''}" has changed since the round before.`);
    return known;
  }

  /** A call has ended with a question of its own. */
  async ask(number: number): Promise<void> {
    const begun = this.state.begun[number - 1]!;
    if (!begun.asked) await this.#store(keys.asked(number), true);
    begun.asked = true;
  }

  /** Notes an outcome. The program hears of outcomes in the order in which they are noted. */
  end(outcome: Omit<Ended, 'at'>, now: number): Promise<void> {
    return (this.#ending = this.#ending.then(async () => {
      const { began, ended } = this.state;
      // Clocks of machines are set back, and that of a program is not.
      const noted = { ...outcome, at: Math.max(now, ended.at(-1)?.at ?? began) };
      await this.#store(keys.ended(ended.length), noted);
      ended.push(noted);
    }));
  }

  /** The next outcome that the program has not heard of; `undefined` while its call still runs. */
  next(): Ended | undefined {
    const next = this.state.ended[this.#heard];
    if (next) this.#heard++;
    return next;
  }

  /** The outcome of a call that an earlier run knows. */
  earlier(number: number): Ended | undefined {
    return this.#earlier.get(number);
  }

  /** How many calls of tools it has begun, over all rounds. */
  get calls(): number {
    return this.#calls;
  }

  /** The tools that it has called, over all rounds, without names that no tool has, and without calls that were refused. */
  get called(): string[] {
    const refused = new Set(this.state.ended.flatMap(({ number, isRefused }) => (isRefused ? [number] : [])));
    return this.state.begun.flatMap(({ tool, contract }, index) =>
      contract === undefined || refused.has(index + 1) ? [] : [tool!],
    );
  }

  async #store(key: string, value: unknown): Promise<void> {
    await this.steps?.step(key, () => value, true);
  }
}
