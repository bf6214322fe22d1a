import { overlapOf, type Overlap } from './character-overlap.js';
import type { PositionAutomaton } from './position-automaton.js';
import { loopsOf } from './loops-of.js';

/**
 * After this many steps the search for a second way ends, and the result counts as "found", because a boot
 * must not wait for it.
 */
const MAX_STEPS = 500_000;

/**
 * Whether one text can run through a loop of the automaton in two ways (exponential ambiguity; Weber and
 * Seidl, 1991): two runs start at one position, separate, and meet there again.
 */
export function isAmbiguous({ characters, edges }: PositionAutomaton): boolean {
  const overlap = overlapOf(characters);
  return loopsOf(edges).some((loop) => partsAndMeets({ start: Math.min(...loop), loop, edges, overlap }));
}

interface Loop {
  start: number;
  loop: ReadonlySet<number>;
  edges: PositionAutomaton['edges'];
  overlap: Overlap;
}

/** Follows pairs of runs over the same text, forward from the start, and then backward along the same steps. */
function partsAndMeets({ start, loop, edges, overlap }: Loop): boolean {
  const key = (one: number, other: number) => `${one} ${other}`;
  const origin = key(start, start);
  const before = new Map<string, string[]>([[origin, []]]);
  const open: [number, number][] = [[start, start]];
  let steps = 0;
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [one, other] = pair;
    for (const [next, ways] of edges[one]!) {
      if (!loop.has(next)) continue;
      if (one === other && ways > 1) return true;
      for (const otherNext of edges[other]!.keys()) {
        if (++steps > MAX_STEPS) return true;
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
  return [...meeting].some((pair) => {
    const [one, other] = pair.split(' ');
    return one !== other;
  });
}
