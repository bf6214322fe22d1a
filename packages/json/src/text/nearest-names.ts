const MAX_SUGGESTIONS = 3;
/** Longer names are not typing errors, and the comparison is quadratic. */
const MAX_COMPARED = 64;
/**
 * How many pairs of letters one answer may compare. This takes about a millisecond, and anybody can ask for
 * unknown names.
 */
const MAX_PAIRS = 50_000;

/** The known names that somebody may have meant, the nearest first; empty if none is near. */
export function nearestNames(name: string, known: readonly string[]): string[] {
  if (name.length > MAX_COMPARED) return [];
  const limit = Math.max(1, Math.floor(name.length / 3));
  let pairs = 0;
  return known
    .filter(({ length }) => Math.abs(length - name.length) <= limit)
    .filter(({ length }) => (pairs += length * name.length) <= MAX_PAIRS)
    .map((each) => ({ each, distance: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ each }) => each);
}

/** ` Did you mean 'points'?`, to follow a sentence; empty if no known name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known).map((each) => `'${each}'`);
  return near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
}

/**
 * How many insertions, deletions, substitutions and swaps of neighbours turn one word into the other (optimal
 * string alignment).
 */
export function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + (same ? 0 : 1));
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, before[column - 2]! + 1);
      }
      current.push(cost);
    }
    before = above;
    above = current;
  }
  return above[to.length]!;
}
