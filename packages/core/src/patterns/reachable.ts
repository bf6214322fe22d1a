import type { PositionAutomaton } from './position-automaton.js';

/** By position: those that some text leads to, in one step or more. */
export function reachability(edges: PositionAutomaton['edges']): readonly ReadonlySet<number>[] {
  return edges.map((_, start) => {
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
  });
}

/** The loops of an automaton: positions that lead to each other, and to themselves. */
export function loopsOf(reach: readonly ReadonlySet<number>[]): ReadonlySet<number>[] {
  const seen = new Set<number>();
  return reach.flatMap((own, start) => {
    if (seen.has(start) || !own.has(start)) return [];
    const loop = new Set([...own].filter((position) => reach[position]!.has(start)));
    for (const position of loop) seen.add(position);
    return [loop];
  });
}
