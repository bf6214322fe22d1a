import { overlapOf, type Overlap } from './character-overlap.js';
import type { PositionAutomaton } from './position-automaton.js';
import { loopsOf, originsOf } from './loops-of.js';

/**
 * After this many steps the search for a second way ends, and the result counts as "found", because a boot
 * must not wait for it.
 */
const MAX_STEPS = 200_000;

/**
 * The exponent by which the tries of a match grow with the length n of a text, if nothing grows
 * exponentially. It is 1 for one loop. Each further loop adds one if a text can be divided between the loops
 * in more than one place: with `a*a*`, n letters can (polynomial ambiguity; Weber and Seidl, 1991).
 */
export function growthOf({ characters, edges }: PositionAutomaton): number {
  const loops = loopsOf(edges);
  const origins = originsOf(edges);
  const overlap = overlapOf(characters);
  const known = new Map<ReadonlySet<number>, number>();
  const divisions = (loop: ReadonlySet<number>): number => {
    let most = known.get(loop);
    if (most !== undefined) return most;
    most = 0;
    const [some] = loop;
    for (const later of loops) {
      const [place] = later;
      if (later === loop || !origins(place!).has(some!)) continue;
      const divided = isDivided({ loop, later, edges, overlap, origins }) ? 1 : 0;
      most = Math.max(most, divisions(later) + divided);
    }
    known.set(loop, most);
    return most;
  };
  return 1 + Math.max(0, ...loops.map(divisions));
}

interface Loops {
  loop: ReadonlySet<number>;
  later: ReadonlySet<number>;
  edges: PositionAutomaton['edges'];
  overlap: Overlap;
  origins: (position: number) => ReadonlySet<number>;
}

/** Whether one text leads around the first loop, around the later loop, and from the first to the later one. */
function isDivided(loops: Loops): boolean {
  let left = MAX_STEPS;
  for (const from of loops.loop) {
    for (const to of loops.later) {
      left -= walk(loops, { from, to, left });
      if (left <= 0) return true;
    }
  }
  return false;
}

/** @returns the number of steps; all remaining steps if there is such a text */
function walk(
  { loop, later, edges, overlap, origins }: Loops,
  { from, to, left }: { from: number; to: number; left: number },
): number {
  const seen = new Set<string>();
  const open: [number, number, number][] = [[from, from, to]];
  let steps = 0;
  for (let state = open.pop(); state; state = open.pop()) {
    const [around, across, behind] = state;
    for (const one of edges[around]!.keys()) {
      if (!loop.has(one)) continue;
      for (const two of edges[across]!.keys()) {
        if (!origins(to).has(two)) continue;
        for (const three of edges[behind]!.keys()) {
          if (++steps >= left) return left;
          if (!later.has(three) || !overlap(one, two, three)) continue;
          if (one === from && two === to && three === to) return left;
          const key = `${one} ${two} ${three}`;
          if (seen.has(key)) continue;
          seen.add(key);
          open.push([one, two, three]);
        }
      }
    }
  }
  return steps;
}
