/** Queries of strangers may have any words: what is kept of them is bounded, in words and in letters. */
const MOST_WORDS = 50_000;

/** No word of a tool is longer. A query may be one word of a thousand letters. */
const LONGEST = 64;

/** What is found out about words, each once. */
export class KeptWords<T> {
  readonly #kept = new Map<string, T>();

  constructor(private readonly findOut: (word: string) => T) {}

  of(word: string): T {
    const known = this.#kept.get(word);
    if (known !== undefined) return known;
    const found = this.findOut(word);
    if (word.length > LONGEST) return found;
    if (this.#kept.size >= MOST_WORDS) this.#kept.clear();
    this.#kept.set(word, found);
    return found;
  }

  get size(): number {
    return this.#kept.size;
  }
}
