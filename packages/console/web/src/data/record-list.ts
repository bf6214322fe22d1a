import { useSyncExternalStore } from 'react';
import type { Sequenced } from '../../../src/api/record-api.js';

/** Records that come in all the time, kept outside of React so that a flood of them draws the page only once a frame. */
export class RecordList<T> {
  #records: readonly Sequenced<T>[] = [];
  #added: Sequenced<T>[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(private readonly size: number) {}

  add(record: Sequenced<T>): void {
    this.#added.push(record);
    if (this.#added.length === 1) requestAnimationFrame(() => this.#flush());
    // A hidden page draws no frames. What would be dropped at the next one is dropped now.
    if (this.#added.length > 2 * this.size) this.#added = this.#added.slice(-this.size);
  }

  /** Records that the server has kept: from before the page was there, or from a time without a connection. */
  fill(kept: readonly Sequenced<T>[]): void {
    const all = new Map([...kept, ...this.#records].map((each) => [each.seq, each]));
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

/** All records, oldest first. */
export function useRecords<T>(list: RecordList<T>): readonly Sequenced<T>[] {
  return useSyncExternalStore(list.subscribe, () => list.all);
}
