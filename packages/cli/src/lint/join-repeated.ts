import type { Finding } from './finding.js';

/** How many other tools a message names. */
const NAMED = 5;

/**
 * Joins findings that repeat themselves. A parameter that several tools share, such as `path`, is one finding that names
 * all of them. Parameters of one tool that lack the same are one finding, too.
 */
export function joinRepeated(findings: readonly Finding[]): Finding[] {
  const shared = groupBy(findings, ({ rule, parameter }) => parameter && `${rule} ${parameter.name}`);
  const sameTools = groupBy(
    shared,
    ([first]) => first!.parameter && `${first!.rule} ${first!.parameter.lacks}`,
    (group) => group.map(({ tool }) => tool).join(),
  );
  return sameTools.map((groups) => joined(groups));
}

/** @param groups the findings about each parameter; all have the same rule and the same tools */
function joined(groups: readonly (readonly Finding[])[]): Finding {
  const [[first, ...others]] = groups as [[Finding, ...Finding[]]];
  if (!first.parameter || (groups.length === 1 && others.length === 0)) return withoutParameter(first);
  const names = groups.map(([one]) => one!.parameter!.name).join(', ');
  const alsoIn = others.map(({ tool }) => tool!);
  const more = alsoIn.length > NAMED ? ` and ${alsoIn.length - NAMED} more` : '';
  const also = alsoIn.length > 0 ? `; also in ${alsoIn.slice(0, NAMED).join(', ')}${more}` : '';
  const message = `${names} ${groups.length > 1 ? 'have' : 'has'} no ${first.parameter.lacks}${also}.`;
  return { ...withoutParameter(first), message, ...(alsoIn.length > 0 && { alsoIn }) };
}

function withoutParameter({ parameter: _, ...finding }: Finding): Finding {
  return finding;
}

/** Groups in the order of their first members. What has no key is a group of its own. */
function groupBy<T>(
  all: readonly T[],
  keyOf: (one: T) => string | undefined,
  placeOf: (one: T) => string = () => '',
): T[][] {
  const groups = new Map<unknown, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const place = key === undefined ? one : `${key} ${placeOf(one)}`;
    groups.set(place, [...(groups.get(place) ?? []), one]);
  }
  return [...groups.values()];
}
