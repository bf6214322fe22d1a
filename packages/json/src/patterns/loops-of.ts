import { type Overlap, overlapOf } from './character-overlap.js';
import type { PositionAutomaton, Ways } from './position-automaton.js';
import type { AnalysisWork } from './work.js';
import { getOrMake } from '../schema/once.js';

type Edges = PositionAutomaton['edges'];
type Visit = [position: number, next: IterableIterator<number>];

/**
 * The loops of an automaton: positions that lead to each other, and to themselves (Tarjan, 1972; without
 * recursion).
 */
export function loopsOf(edges: Edges): ReadonlySet<number>[] {
  const found: ReadonlySet<number>[] = [];
  const order: number[] = [];
  const lowest: number[] = [];
  const stack: number[] = [];
  const onStack = new Set<number>();
  let count = 0;
  const enter = (position: number): Visit => {
    order[position] = lowest[position] = count++;
    stack.push(position);
    onStack.add(position);
    return [position, edges[position]!.keys()];
  };
  const leave = (position: number) => {
    if (lowest[position] !== order[position]) return;
    const members = new Set(stack.splice(stack.indexOf(position)));
    for (const member of members) onStack.delete(member);
    if (members.size > 1 || edges[position]!.has(position)) found.push(members);
  };
  for (const start of edges.keys()) {
    if (order[start] !== undefined) continue;
    const open = [enter(start)];
    while (open.length > 0) {
      const [position, targets] = open.at(-1)!;
      const { value: next, done } = targets.next();
      if (done) {
        leave(position);
        open.pop();
        const parent = open.at(-1)?.[0];
        if (parent !== undefined) lowest[parent] = Math.min(lowest[parent]!, lowest[position]!);
      } else if (order[next] === undefined) open.push(enter(next));
      else if (onStack.has(next)) lowest[position] = Math.min(lowest[position]!, order[next]);
    }
  }
  return found;
}

/** Returns the positions from which some text leads to a position, including this position. */
export function originsOf(edges: Edges): (position: number) => ReadonlySet<number> {
  const sources: number[][] = edges.map(() => []);
  for (const [from, targets] of edges.entries()) for (const to of targets.keys()) sources[to]!.push(from);
  const known = new Map<number, ReadonlySet<number>>();
  return (position) =>
    getOrMake(known, position, () => {
      const found = new Set([position]);
      for (const each of found) for (const source of sources[each]!) found.add(source);
      return found;
    });
}

/**
 * Whether one text can run through a loop of the automaton in two ways (exponential ambiguity; Weber and
 * Seidl, 1991): two runs start at one position, separate, and meet there again.
 */
export function isAmbiguous({ characters, edges, work }: PositionAutomaton): boolean {
  const overlap = overlapOf(characters, work);
  work.startSearch();
  return loopsOf(edges).some((loop) =>
    partsAndMeets({ start: Math.min(...loop), loop, edges, overlap, work }),
  );
}

interface Loop {
  start: number;
  loop: ReadonlySet<number>;
  edges: PositionAutomaton['edges'];
  overlap: Overlap;
  work: AnalysisWork;
}

/** Follows pairs of runs over the same text, forward from the start, and then backward along the same steps. */
function partsAndMeets({ start, loop, edges, overlap, work }: Loop): boolean {
  const key = (one: number, other: number) => one * edges.length + other;
  const origin = key(start, start);
  const before = new Map<number, number[]>([[origin, []]]);
  const open: [number, number][] = [[start, start]];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [one, other] = pair;
    for (const [next, ways] of edges[one]!) {
      if (!loop.has(next)) continue;
      if (one === other && ways > 1) return true;
      for (const otherNext of edges[other]!.keys()) {
        // A search that takes too long counts as one that has found something.
        if (!work.searches(1)) return true;
        if (!loop.has(otherNext) || !overlap(next, otherNext)) continue;
        const reached = key(next, otherNext);
        const sources = before.get(reached);
        if (sources) sources.push(key(one, other));
        else {
          before.set(reached, [key(one, other)]);
          open.push([next, otherNext]);
        }
      }
    }
  }
  const meeting = new Set([origin]);
  for (const pair of meeting) for (const source of before.get(pair) ?? []) meeting.add(source);
  return [...meeting].some((pair) => Math.floor(pair / edges.length) !== pair % edges.length);
}

/**
 * The maximum number of ways in which a matcher can reach one place of the pattern with one text. The places
 * where loops begin and end do not count here, because `growthOf` counts those. It is 2^29 for `(?:a?){30}`,
 * which has no loop at all and still takes minutes.
 */
export function waysOfMatch(automaton: PositionAutomaton): number {
  const { edges, starts, work } = automaton;
  work.startSearch();
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
    ways = Math.max(begun, 1) + most(sources, together, work);
    // If nothing repeats, a run that begins here has read a shorter text than a run from elsewhere.
    if (!loopAt.has(position)) ways = Math.max(begun, most(sources, together, work), 1);
    known.set(first!, ways);
    return ways;
  };
  let all = 1;
  for (const position of edges.keys()) all = Math.max(all, waysTo(position));
  return all;
}

type Together = (one: number, other: number) => boolean;

/** The highest number of runs at the same time: one text can reach all of their positions, in pairs. */
function most(sources: Ways, together: Together, work: AnalysisWork): number {
  let found = 0;
  for (const [one] of sources) {
    let ways = 0;
    if (!work.searches(sources.size)) return sumOf(sources.values());
    for (const [other, more] of sources) if (one === other || together(one, other)) ways += more;
    found = Math.max(found, ways);
  }
  return found;
}

function sumOf(numbers: Iterable<number>): number {
  let all = 0;
  for (const each of numbers) all += each;
  return all;
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

/** Whether one text leads to both of two positions. If that takes too long to find out, it counts as such a text. */
function pairsOfRuns({ characters, edges, starts, work }: PositionAutomaton): Together {
  const overlap = overlapOf(characters, work);
  const key = (one: number, other: number) =>
    one < other ? one * edges.length + other : other * edges.length + one;
  const seen = new Set<number>();
  const open: [number, number][] = [];
  let isWhole = true;
  const reach = (ones: Iterable<number>, others: readonly number[]) => {
    for (const one of ones) {
      for (const other of others) {
        if (!(isWhole &&= work.searches(1))) return;
        const pair = key(one, other);
        if (seen.has(pair) || !overlap(one, other)) continue;
        seen.add(pair);
        open.push([one, other]);
      }
    }
  };
  reach(starts.keys(), [...starts.keys()]);
  for (let pair = open.pop(); pair && isWhole; pair = open.pop())
    reach(edges[pair[0]]!.keys(), [...edges[pair[1]]!.keys()]);
  return isWhole ? (one, other) => seen.has(key(one, other)) : () => true;
}
