/** Things that can all be reached from each other. */
export interface ReferenceGroup<T> {
  readonly members: readonly T[];
  /** They refer to each other, or the only one refers to itself. */
  readonly isRecursive: boolean;
}

interface Visit<T> {
  readonly member: T;
  readonly uses: readonly T[];
  /** The index of the next use to visit. */
  next: number;
  readonly index: number;
  /** The earliest visit that can be reached from here. */
  low: number;
  isOpen: boolean;
}

/**
 * Groups things that refer to each other, and puts each group after the groups that it refers to. This takes
 * one walk (Tarjan's algorithm). The walk has its own stack, because types of an SDK may be thousands of
 * levels deep.
 *
 * @param roots where to begin
 * @param usesOf what a thing refers to, each once; called once per thing
 */
export function sortByReferences<T>(
  roots: Iterable<T>,
  usesOf: (member: T) => readonly T[],
): ReferenceGroup<T>[] {
  const groups: ReferenceGroup<T>[] = [];
  const visits = new Map<T, Visit<T>>();
  const open: Visit<T>[] = [];
  const enter = (member: T): Visit<T> => {
    const index = visits.size;
    const visit = { member, uses: usesOf(member), next: 0, low: index, isOpen: true, index };
    visits.set(member, visit);
    open.push(visit);
    return visit;
  };
  const close = (visit: Visit<T>): void => {
    if (visit.low !== visit.index) return;
    const members = open.splice(open.lastIndexOf(visit));
    for (const each of members) each.isOpen = false;
    const isRecursive = members.length > 1 || visit.uses.includes(visit.member);
    groups.push({ members: members.map(({ member }) => member), isRecursive });
  };
  for (const root of roots) {
    if (visits.has(root)) continue;
    const path = [enter(root)];
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      if (visit.next === visit.uses.length) {
        close(visit);
        path.pop();
        const parent = path.at(-1);
        if (parent) parent.low = Math.min(parent.low, visit.low);
        continue;
      }
      const target = visit.uses[visit.next++]!;
      const known = visits.get(target);
      if (!known) path.push(enter(target));
      else if (known.isOpen) visit.low = Math.min(visit.low, known.index);
    }
  }
  return groups;
}
