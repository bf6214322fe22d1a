import type { Sequenced } from '../api/record-api.js';

/** What all records of a ring may take together, in characters of JSON. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

export interface RingLimits {
  /** How many records are kept. */
  readonly records: number;
  /** How large they may be together, in characters of JSON. Default: 64 Mi. */
  readonly characters?: number;
}

/** The last records of a kind, each with its place in the order of all that ever came. */
export class Ring<T> {
  #kept: Sequenced<T>[] = [];
  #sizes: number[] = [];
  #size = 0;
  #seq = 0;

  constructor(private readonly limits: RingLimits) {}

  add(record: T): Sequenced<T> {
    const sequenced = { seq: ++this.#seq, record };
    const size = JSON.stringify(record).length;
    this.#kept.push(sequenced);
    this.#sizes.push(size);
    this.#size += size;
    const { records, characters = MAX_CHARACTERS } = this.limits;
    // Cutting seldom is cheaper than cutting each time.
    if (this.#kept.length > records * 1.2) this.#cut(this.#kept.length - records);
    if (this.#size > characters) this.#cut(this.#excess(characters * 0.8));
    return sequenced;
  }

  after(seq = 0): readonly Sequenced<T>[] {
    const first = this.#kept.findIndex((each) => each.seq > seq);
    return first < 0 ? [] : this.#kept.slice(first);
  }

  clear(): void {
    this.#cut(this.#kept.length);
  }

  /** How many of the oldest have to go until the rest fits. The newest always stays. */
  #excess(characters: number): number {
    let size = this.#size;
    let count = 0;
    while (size > characters && count < this.#kept.length - 1) size -= this.#sizes[count++]!;
    return count;
  }

  #cut(count: number): void {
    for (const size of this.#sizes.slice(0, count)) this.#size -= size;
    this.#kept = this.#kept.slice(count);
    this.#sizes = this.#sizes.slice(count);
  }
}
