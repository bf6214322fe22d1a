import type { Sequenced } from '../../../src/api/record-api.js';

/** Records that come in all the time, kept outside of React so that a flood of them draws the page only once a frame. */
export class RecordList<T> {
  #records: readonly Sequenced<T>[] = [];
  #added: Sequenced<T>[] = [];
  /** How many questions for what the server has kept are on their way. Records that come meanwhile wait for the answers. */
  #held = 0;
  readonly #listeners = new Set<() => void>();

  /** @param onFrame calls a function when the page draws the next time */
  constructor(
    private readonly size: number,
    private readonly onFrame: (draw: () => void) => void,
  ) {}

  add(record: Sequenced<T>): void {
    this.#added.push(record);
    if (this.#added.length === 1) this.onFrame(() => this.#flush());
    // A hidden page draws no frames. What would be dropped at the next one is dropped now.
    if (this.#added.length > 2 * this.size) this.#added = this.#added.slice(-this.size);
  }

  /** Begins a question for what the server has kept. */
  hold(): void {
    this.#held++;
  }

  /** Ends it, also if it has failed. */
  release(): void {
    this.#held--;
    this.#flush();
  }

  /**
   * Records that the server has kept: from before the page was there, or from a time without a connection. A server that
   * has started anew numbers its records from the beginning. It does not know the last one that is here, and then all that
   * are here go: their numbers belong to other records now.
   */
  fill(kept: readonly Sequenced<T>[]): void {
    const last = this.#records.at(-1);
    const isSame = last === undefined || kept.some((each) => each.seq === last.seq && isEqual(each, last));
    const all = new Map([...kept, ...(isSame ? this.#records : [])].map((each) => [each.seq, each]));
    this.#set([...all.values()].sort((a, b) => a.seq - b.seq));
  }

  clear(): void {
    this.#added.length = 0;
    this.#set([]);
  }

  get all(): readonly Sequenced<T>[] {
    return this.#records;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #flush(): void {
    if (this.#held > 0) return;
    const last = this.#records.at(-1)?.seq ?? 0;
    // What `fill` has brought in the meantime is not added twice.
    const added = this.#added.filter(({ seq }) => seq > last);
    this.#added = [];
    if (added.length > 0) this.#set([...this.#records, ...added]);
  }

  #set(records: readonly Sequenced<T>[]): void {
    this.#records = records.slice(-this.size);
    this.#listeners.forEach((listener) => listener());
  }
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
