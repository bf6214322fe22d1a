/** How many classes a doubling of time has: a class is about 3 % wide on each side of its middle. */
const PER_DOUBLING = 12;

/** Counts durations in classes, so that quantiles of millions of calls need a few kilobytes. */
export class Durations {
  private readonly classes = new Map<number, number>();
  private total = 0;

  add(ms: number): void {
    const place = Math.round(Math.log2(Math.max(ms, 0) + 1) * PER_DOUBLING);
    this.classes.set(place, (this.classes.get(place) ?? 0) + 1);
    this.total += 1;
  }

  /**
   * The duration that this share of all does not exceed, in milliseconds; `undefined` without durations.
   *
   * @param share from 0 to 1
   */
  quantile(share: number): number | undefined {
    let left = Math.max(1, Math.ceil(share * this.total));
    for (const [place, count] of [...this.classes].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return Math.round((2 ** (place / PER_DOUBLING) - 1) * 10) / 10;
    }
    return undefined;
  }
}
