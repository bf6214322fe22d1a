import type { BoundTool } from '@toolwright/core';

type Replaced = Pick<BoundTool, 'name' | 'deprecation' | 'version'>;

/**
 * Puts the tool that replaces a deprecated one before it, whether the words of the query find it or not.
 *
 * @param ranked best first
 * @param among all that the caller may find
 */
export function successorsFirst<T extends Replaced>(ranked: readonly T[], among: readonly T[]): T[] {
  if (!ranked.some(({ deprecation }) => deprecation?.replacedBy !== undefined)) return [...ranked];
  const byName = new Map(among.flatMap((tool) => namesOf(tool).map((name) => [name, tool] as const)));
  const placed = new Set<T>();
  const open = new Set<T>();
  const place = (tool: T) => {
    // Two tools that name each other would lead in a circle.
    if (open.has(tool)) return;
    open.add(tool);
    const successor = byName.get(tool.deprecation?.replacedBy ?? '');
    if (successor) place(successor);
    placed.add(tool);
  };
  ranked.forEach(place);
  return [...placed];
}

/** A search finds the newest version of a tool, by its bare name. It is also the one that the name of the version means. */
const namesOf = ({ name, version }: Replaced) =>
  version === undefined ? [name] : [name, `${name}.v${version}`];
