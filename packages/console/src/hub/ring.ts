import type { Sequenced } from '../api/record-api.js';

/** The last records of a kind, each with its place in the order of all that ever came. */
export class Ring<T> {
  #kept: Sequenced<T>[] = [];
  #seq = 0;

  constructor(private readonly size: number) {}

  add(record: T): Sequenced<T> {
    const sequenced = { seq: ++this.#seq, record };
    this.#kept.push(sequenced);
    // Cutting seldom is cheaper than cutting each time.
    if (this.#kept.length > this.size * 1.2) this.#kept = this.#kept.slice(-this.size);
    return sequenced;
  }

  after(seq = 0): readonly Sequenced<T>[] {
    const first = this.#kept.findIndex((each) => each.seq > seq);
    return first < 0 ? [] : this.#kept.slice(first);
  }

  clear(): void {
    this.#kept = [];
  }
}
