import type { PositionAutomaton } from './position-automaton.js';

/**
 * Whether a loop of the automaton can be run through in two ways with one text (exponential ambiguity; Weber and
 * Seidl, 1991): two runs start at one position, part, and meet there again.
 */
export function isAmbiguous({ characters, edges }: PositionAutomaton): boolean {
  const reach = edges.map((_, position) => reachable(edges, position));
  const together = (one: number, other: number) => reach[one]!.has(other) && reach[other]!.has(one);
  const seen = new Set<number>();
  for (const [start, own] of reach.entries()) {
    if (seen.has(start) || !own.has(start)) continue;
    const loop = [...own].filter((position) => together(start, position));
    for (const position of loop) seen.add(position);
    if (partsAndMeets({ start, loop: new Set(loop), edges, overlap: overlapOf(characters) })) return true;
  }
  return false;
}

function reachable(edges: PositionAutomaton['edges'], start: number): Set<number> {
  const found = new Set<number>();
  const open = [start];
  for (let position = open.pop(); position !== undefined; position = open.pop()) {
    for (const next of edges[position]!.keys()) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}

interface Loop {
  start: number;
  loop: ReadonlySet<number>;
  edges: PositionAutomaton['edges'];
  overlap(one: number, other: number): boolean;
}

/** Walks pairs of runs over the same text, forward from the start, and then back from it along the same steps. */
function partsAndMeets({ start, loop, edges, overlap }: Loop): boolean {
  const key = (one: number, other: number) => `${one} ${other}`;
  const origin = key(start, start);
  const before = new Map<string, string[]>([[origin, []]]);
  const open: [number, number][] = [[start, start]];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [one, other] = pair;
    for (const [next, ways] of edges[one]!) {
      if (!loop.has(next)) continue;
      if (one === other && ways > 1) return true;
      for (const otherNext of edges[other]!.keys()) {
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

/** Beyond the first code points, one of each kind that patterns tell apart. */
const samples = [
  ...Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code)),
  ...'αЖאبक中あ가€∑→😀\u2003\u2028\u{10fffd}',
];

/** Tells whether some character matches at both positions: asked of the pattern itself, over samples and its own. */
function overlapOf(characters: readonly string[]): Loop['overlap'] {
  const own = characters.join('');
  const alphabet = [...new Set([...samples, ...own])];
  const known = new Map<string, Set<string>>();
  const matches = (raw: string): Set<string> => {
    let set = known.get(raw);
    if (!set) {
      const pattern = new RegExp(`^${raw}$`, 'u');
      known.set(raw, (set = new Set(alphabet.filter((character) => pattern.test(character)))));
    }
    return set;
  };
  const verdicts = new Map<string, boolean>();
  return (one, other) => {
    const [a, b] = [characters[one]!, characters[other]!];
    if (a === b) return true;
    const pair = `${a}\n${b}`;
    let verdict = verdicts.get(pair);
    if (verdict === undefined) {
      const second = matches(b);
      verdicts.set(pair, (verdict = [...matches(a)].some((character) => second.has(character))));
    }
    return verdict;
  };
}
