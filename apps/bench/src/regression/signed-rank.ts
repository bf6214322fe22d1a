/**
 * The chance that pairs without a real difference would rank at least as high as these (Wilcoxon's signed rank, exact,
 * one-sided). It asks nothing of the distribution but symmetry, and one disturbed pair counts no more than its rank.
 */
export function signedRankChance(differences: readonly number[]): number {
  // Twice the ranks: shared ones are halves.
  const ranks = ranksOf(differences.map(Math.abs)).map((rank) => rank * 2);
  const observed = sum(ranks.filter((_, index) => differences[index]! > 0));
  // How many of all choices of signs give each sum of the positive ranks.
  const ways = new Array<number>(sum(ranks) + 1).fill(0);
  ways[0] = 1;
  for (const rank of ranks) {
    for (let total = ways.length - 1; total >= rank; total--) ways[total]! += ways[total - rank]!;
  }
  return sum(ways.slice(observed)) / 2 ** ranks.length;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The size of the difference that belongs to this test: the median of the means of all pairs (Hodges and Lehmann). */
export function typicalDifference(differences: readonly number[]): number {
  const means = differences.flatMap((first, index) =>
    differences.slice(index).map((second) => (first + second) / 2),
  );
  means.sort((a, b) => a - b);
  const middle = means.length >> 1;
  return means.length % 2 === 1 ? means[middle]! : (means[middle - 1]! + means[middle]!) / 2;
}

/** The place of each value among all of them, from 1; equal values share the mean of their places. */
function ranksOf(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}
