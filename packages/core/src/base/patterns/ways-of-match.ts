import { overlapOf } from './character-overlap.js';
import type { PositionAutomaton, Ways } from './position-automaton.js';
import { loopsOf } from './loops-of.js';

/** After this many steps the search ends, and the result counts as if one text led to all positions. */
const MAX_STEPS = 200_000;

/**
 * The maximum number of ways in which a matcher can reach one place of the pattern with one text. The places
 * where loops begin and end do not count here, because `growthOf` counts those. It is 2^29 for `(?:a?){30}`,
 * which has no loop at all and still takes minutes.
 */
export function waysOfMatch(automaton: PositionAutomaton): number {
  const { edges, starts } = automaton;
  const together = pairsOfRuns(automaton);
  const loopAt = new Map(
    loopsOf(edges).flatMap((loop) => [...loop].map((position) => [position, loop] as const)),
  );
  const entries = entriesOf(edges, loopAt);
  const known = new Map<number, number>();
  /** How many runs of one text reach a position, or the loop around it. */
  const waysTo = (position: number): number => {
    const loop = loopAt.get(position) ?? new Set([position]);
    const [first] = loop;
    let ways = known.get(first!);
    if (ways !== undefined) return ways;
    known.set(first!, 0);
    const sources = new Map<number, number>();
    let begun = 0;
    for (const each of loop) {
      begun += starts.get(each) ?? 0;
      for (const [from, more] of entries[each]!)
        sources.set(from, (sources.get(from) ?? 0) + more * waysTo(from));
    }
    ways = Math.max(begun, 1) + most(sources, together);
    // If nothing repeats, a run that begins here has read a shorter text than a run from elsewhere.
    if (!loopAt.has(position)) ways = Math.max(begun, most(sources, together), 1);
    known.set(first!, ways);
    return ways;
  };
  let all = 1;
  for (const position of edges.keys()) all = Math.max(all, waysTo(position));
  return all;
}

type Together = (one: number, other: number) => boolean;

/** The highest number of runs at the same time: one text can reach all of their positions, in pairs. */
function most(sources: Ways, together: Together): number {
  let found = 0;
  for (const [one] of sources) {
    let ways = 0;
    for (const [other, more] of sources) if (one === other || together(one, other)) ways += more;
    found = Math.max(found, ways);
  }
  return found;
}

/** By position: the positions that lead to it, without those of its own loop. */
function entriesOf(
  edges: PositionAutomaton['edges'],
  loopAt: ReadonlyMap<number, ReadonlySet<number>>,
): Map<number, number>[] {
  const entries = edges.map(() => new Map<number, number>());
  for (const [from, targets] of edges.entries()) {
    for (const [to, ways] of targets) if (!loopAt.get(from)?.has(to)) entries[to]!.set(from, ways);
  }
  return entries;
}

/** Whether one text leads to both of two positions. */
function pairsOfRuns({ characters, edges, starts }: PositionAutomaton): Together {
  const overlap = overlapOf(characters);
  const key = (one: number, other: number) => (one < other ? `${one} ${other}` : `${other} ${one}`);
  const seen = new Set<string>();
  const open: [number, number][] = [];
  let steps = 0;
  const reach = (ones: Iterable<number>, others: readonly number[]) => {
    for (const one of ones) {
      for (const other of others) {
        if (++steps > MAX_STEPS) return;
        const pair = key(one, other);
        if (seen.has(pair) || !overlap(one, other)) continue;
        seen.add(pair);
        open.push([one, other]);
      }
    }
  };
  reach(starts.keys(), [...starts.keys()]);
  for (let pair = open.pop(); pair && steps <= MAX_STEPS; pair = open.pop())
    reach(edges[pair[0]]!.keys(), [...edges[pair[1]]!.keys()]);
  return steps > MAX_STEPS ? () => true : (one, other) => seen.has(key(one, other));
}
