import type { PositionAutomaton } from './position-automaton.js';

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
  return (position) => {
    let origins = known.get(position);
    if (!origins) {
      const found = new Set([position]);
      for (const each of found) for (const source of sources[each]!) found.add(source);
      known.set(position, (origins = found));
    }
    return origins;
  };
}
