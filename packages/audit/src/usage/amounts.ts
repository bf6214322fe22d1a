/** How many classes a doubling has: a class is about 3 % wide on each side of its middle. */
const PER_DOUBLING = 12;

/** Counts durations, or sizes, in classes, so that quantiles of millions of calls need a few kilobytes. */
export class Amounts {
  private readonly classes = new Map<number, { count: number; sum: number }>();
  private total = 0;

  /** How many there are. */
  get count(): number {
    return this.total;
  }

  add(amount: number): void {
    const place = Math.round(Math.log2(Math.max(amount, 0) + 1) * PER_DOUBLING);
    const { count, sum } = this.classes.get(place) ?? { count: 0, sum: 0 };
    this.classes.set(place, { count: count + 1, sum: sum + amount });
    this.total += 1;
  }

  /**
   * The amount that this share of all does not exceed, with one decimal; `undefined` without any.
   *
   * @param share from 0 to 1
   */
  quantile(share: number): number | undefined {
    let left = Math.max(1, Math.ceil(share * this.total));
    for (const [place, { count }] of [...this.classes].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return Math.round((2 ** (place / PER_DOUBLING) - 1) * 10) / 10;
    }
    return undefined;
  }

  /** What all together have over a limit. */
  over(limit: number): number {
    let sum = 0;
    for (const each of this.classes.values()) sum += Math.max(0, each.sum - each.count * limit);
    return sum;
  }
}
