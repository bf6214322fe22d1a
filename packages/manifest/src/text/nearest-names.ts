import { editDistance } from './edit-distance.js';

const MAX_SUGGESTIONS = 3;
/** Longer names are no typing errors, and the comparison is quadratic. */
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
