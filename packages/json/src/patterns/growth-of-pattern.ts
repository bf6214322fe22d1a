import type { AST } from '@eslint-community/regexpp';
import { type Overlap, overlapOf } from './character-overlap.js';
import { loopsOf, originsOf } from './loops-of.js';
import { type Alternatives, hasBackreference, lookaroundsOf } from './parse-pattern.js';
import { PositionAutomaton } from './position-automaton.js';

/**
 * The exponent by which the time of a match grows with the length n of the text. It is 1 for `^a+$`, and 2
 * for `a+$`, which tries again at every character. The pattern must not have exponential parts. The result
 * may be too high, but never too low.
 *
 * @param flags of the pattern
 * @throws {TooLargeError}
 */
export function growthOfPattern(alternatives: Alternatives, flags: string): number {
  // With the flag m, `^` matches at every line.
  const isAnchored = !flags.includes('m') && alternatives.every(({ elements: [first] }) => isStart(first));
  const own = growthOf(new PositionAutomaton(alternatives, { flags, anywhere: !isAnchored }));
  const looked = lookaroundsOf(alternatives).map((each) => growthAround(each, flags));
  // A lookaround at the very start is tried once. Any other may be tried at each character.
  const around =
    isAnchored && looksAtStart(alternatives) ? Math.max(0, ...looked) : sum(looked) && own + sum(looked);
  // Comparing with an earlier group takes as long as the text of that group.
  return Math.max(own, around) + (hasBackreference(alternatives) ? 1 : 0);
}

/** A lookaround of limited length takes no longer for a longer text. */
function growthAround(alternatives: Alternatives, flags: string): number {
  const automaton = new PositionAutomaton(alternatives, { flags });
  return loopsOf(automaton.edges).length > 0 ? growthOf(automaton) : 0;
}

function isStart(element: AST.Element | undefined): boolean {
  return element?.type === 'Assertion' && element.kind === 'start';
}

/** `^(?=…)(?!…)` without further lookarounds. */
function looksAtStart(alternatives: Alternatives): boolean {
  return alternatives.every(({ elements }) => {
    const consuming = elements.findIndex(({ type }) => type !== 'Assertion');
    const rest = consuming < 0 ? [] : elements.slice(consuming);
    return lookaroundsOf([{ elements: rest } as unknown as AST.Alternative]).length === 0;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

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
function growthOf({ characters, edges }: PositionAutomaton): number {
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
