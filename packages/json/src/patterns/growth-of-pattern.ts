import type { AST } from '@eslint-community/regexpp';
import { type Overlap, overlapOf } from './character-overlap.js';
import { loopsOf, originsOf } from './loops-of.js';
import { type Alternatives, hasBackreference, lookaroundsOf } from './parse-pattern.js';
import { PositionAutomaton } from './position-automaton.js';
import type { AnalysisWork } from './work.js';

/**
 * The exponent by which the time of a match grows with the length n of the text. It is 1 for `^a+$`, and 2
 * for `a+$`, which tries again at every character. The pattern must not have exponential parts. The result
 * may be too high, but never too low.
 *
 * @param flags of the pattern
 * @throws {TooLargeError}
 */
export function growthOfPattern(alternatives: Alternatives, flags: string, work: AnalysisWork): number {
  // With the flag m, `^` matches at every line.
  const isAnchored = !flags.includes('m') && alternatives.every(({ elements: [first] }) => isStart(first));
  const own = growthOf(new PositionAutomaton(alternatives, { flags, work, anywhere: !isAnchored }));
  const looked = lookaroundsOf(alternatives).map((each) => growthAround(each, flags, work));
  // A lookaround at the very start is tried once. Any other may be tried at each character.
  const around =
    isAnchored && looksAtStart(alternatives) ? Math.max(0, ...looked) : sum(looked) && own + sum(looked);
  // Comparing with an earlier group takes as long as the text of that group.
  return Math.max(own, around) + (hasBackreference(alternatives) ? 1 : 0);
}

/** A lookaround of limited length takes no longer for a longer text. */
function growthAround(alternatives: Alternatives, flags: string, work: AnalysisWork): number {
  const automaton = new PositionAutomaton(alternatives, { flags, work });
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

/** More loops than this are not compared with each other: each counts as one that divides a text. */
const MOST_LOOPS = 100;

/**
 * The exponent by which the tries of a match grow with the length n of a text, if nothing grows
 * exponentially. It is 1 for one loop. Each further loop adds one if a text can be divided between the loops
 * in more than one place: with `a*a*`, n letters can (polynomial ambiguity; Weber and Seidl, 1991).
 */
function growthOf({ characters, edges, work }: PositionAutomaton): number {
  const loops = loopsOf(edges);
  if (loops.length > MOST_LOOPS) return loops.length;
  const origins = originsOf(edges);
  const overlap = overlapOf(characters, work);
  work.startSearch();
  const known = new Map<ReadonlySet<number>, number>();
  const divisions = (loop: ReadonlySet<number>): number => {
    let most = known.get(loop);
    if (most !== undefined) return most;
    most = 0;
    const [some] = loop;
    for (const later of loops) {
      const [place] = later;
      if (later === loop || !origins(place!).has(some!)) continue;
      const divided = isDivided({ loop, later, edges, overlap, origins, work }) ? 1 : 0;
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
  work: AnalysisWork;
}

/** Whether one text leads around the first loop, around the later loop, and from the first to the later one. */
function isDivided(loops: Loops): boolean {
  for (const from of loops.loop) for (const to of loops.later) if (divides(loops, from, to)) return true;
  return false;
}

/** A search that takes too long counts as one that has found such a text. */
function divides({ loop, later, edges, overlap, origins, work }: Loops, from: number, to: number): boolean {
  const { length } = edges;
  const seen = new Set<number>();
  const open: [number, number, number][] = [[from, from, to]];
  for (let state = open.pop(); state; state = open.pop()) {
    const [around, across, behind] = state;
    for (const one of edges[around]!.keys()) {
      if (!loop.has(one)) continue;
      for (const two of edges[across]!.keys()) {
        if (!origins(to).has(two)) continue;
        for (const three of edges[behind]!.keys()) {
          if (!work.searches(1)) return true;
          if (!later.has(three) || !overlap(one, two, three)) continue;
          if (one === from && two === to && three === to) return true;
          const key = (one * length + two) * length + three;
          if (seen.has(key)) continue;
          seen.add(key);
          open.push([one, two, three]);
        }
      }
    }
  }
  return false;
}
