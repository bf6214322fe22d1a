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
  }

  /** Records that the server kept before the page was there. */
  fill(older: readonly Sequenced<T>[]): void {
    const known = new Set(this.#records.map(({ seq }) => seq));
    this.#set([...older.filter(({ seq }) => !known.has(seq)), ...this.#records]);
  }

  clear(): void {
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
    const added = this.#added;
    this.#added = [];
    this.#set([...this.#records, ...added]);
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
