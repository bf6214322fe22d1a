/** Linear interpolation between the closest ranks of a sorted list; NaN of nothing. */
export function quantile(sorted: readonly number[], share: number): number {
  if (sorted.length === 0) return NaN;
  const rank = (sorted.length - 1) * share;
  const below = sorted[Math.floor(rank)]!;
  const above = sorted[Math.ceil(rank)]!;
  return below + (above - below) * (rank - Math.floor(rank));
}

/** The middle of several rounds, and how far the middle half of them lies apart. */
export interface Summary {
  median: number;
  low: number;
  high: number;
}

/** Median and quartiles: one disturbed round moves neither. */
export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/**
 * The ratios of two contestants, round by round: those of one round ran within seconds of each other, so that a machine
 * that slows down for a minute changes both sides of it.
 */
export function ratiosOf(values: readonly number[], baseline: readonly number[]): number[] {
  const rounds = Math.min(values.length, baseline.length);
  return Array.from({ length: rounds }, (_, round) => values[round]! / baseline[round]!);
}

/** Their median and quartiles. */
export function summarizeRatio(values: readonly number[], baseline: readonly number[]): Summary {
  return summarize(ratiosOf(values, baseline));
}
