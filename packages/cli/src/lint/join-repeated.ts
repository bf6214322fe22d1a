import { groupBy } from '@toolwright/json';
import type { LintProblem } from './lint-problem.js';

/** How many other tools a message names. */
const NAMED = 5;

/**
 * Joins problems that repeat themselves. A parameter that several tools share, such as `path`, is one problem that names
 * all of them. Parameters of one tool that lack the same are one problem, too.
 */
export function joinRepeated(problems: readonly LintProblem[]): LintProblem[] {
  const shared = groupBy(problems, (one) => (one.parameter ? `${one.rule} ${one.parameter.name}` : one));
  const sameTools = groupBy(shared.values(), (group) => {
    const { rule, parameter } = group[0]!;
    return parameter ? [rule, parameter.lacks, ...group.map(({ tool }) => tool)].join() : group;
  });
  return [...sameTools.values()].map((groups) => joined(groups));
}

/** @param groups the problems about each parameter; all have the same rule and the same tools */
function joined(groups: readonly (readonly LintProblem[])[]): LintProblem {
  const [[first, ...others]] = groups as [[LintProblem, ...LintProblem[]]];
  if (!first.parameter || (groups.length === 1 && others.length === 0)) return withoutParameter(first);
  const names = groups.map(([one]) => one!.parameter!.name).join(', ');
  const alsoIn = others.map(({ tool }) => tool!);
  const more = alsoIn.length > NAMED ? ` and ${alsoIn.length - NAMED} more` : '';
  const also = alsoIn.length > 0 ? `; also in ${alsoIn.slice(0, NAMED).join(', ')}${more}` : '';
  const message = `${names} ${groups.length > 1 ? 'have' : 'has'} no ${first.parameter.lacks}${also}.`;
  return { ...withoutParameter(first), message, ...(alsoIn.length > 0 && { alsoIn }) };
}

function withoutParameter({ parameter: _, ...problem }: LintProblem): LintProblem {
  return problem;
}
