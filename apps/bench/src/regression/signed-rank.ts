/**
 * The chance that pairs without a real difference would rank at least as high as these (Wilcoxon's signed rank, exact,
 * one-sided). It asks nothing of the distribution but symmetry, and one disturbed pair counts no more than its rank.
 *
 * @param differences of each pair; at most 20, since every choice of signs is counted
 */
export function signedRankChance(differences: readonly number[]): number {
  const ranks = ranksOf(differences.map(Math.abs));
  const sumWhere = (positive: (index: number) => boolean) =>
    ranks.reduce((sum, rank, index) => (positive(index) ? sum + rank : sum), 0);
  const observed = sumWhere((index) => differences[index]! > 0);
  const choices = 2 ** differences.length;
  let asHigh = 0;
  for (let signs = 0; signs < choices; signs++) {
    if (sumWhere((index) => (signs & (1 << index)) !== 0) >= observed) asHigh++;
  }
  return asHigh / choices;
}

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
