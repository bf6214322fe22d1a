/**
 * The tools of the index that a caller may find. Tools and words are counted among these only: if tools that are hidden from the
 * caller counted, a stranger could read their words from the order of what is found.
 */
export class VisibleTools {
  /** 1 at the positions of the tools; `undefined` if all are visible, which is usual. */
  readonly #marks: Uint8Array | undefined;

  private constructor(
    /** How many there are. */
    readonly count: number,
    marks?: Uint8Array,
  ) {
    this.#marks = marks;
  }

  /** @param all how many tools the index has */
  static everything(all: number): VisibleTools {
    return new VisibleTools(all);
  }

  /** @param positions each position once */
  static at(positions: readonly number[], all: number): VisibleTools {
    const marks = new Uint8Array(all);
    for (const position of positions) marks[position] = 1;
    return new VisibleTools(positions.length, marks);
  }

  has(position: number): boolean {
    return this.#marks === undefined || this.#marks[position] === 1;
  }

  /** How many of these are visible. */
  countOf(positions: readonly number[]): number {
    const marks = this.#marks;
    if (!marks) return positions.length;
    let count = 0;
    for (const position of positions) count += marks[position]!;
    return count;
  }

  /** How much a word says that these tools have. */
  rarityOf(positions: readonly number[]): number {
    return Math.log(1 + this.count / (this.countOf(positions) + 0.5));
  }
}
