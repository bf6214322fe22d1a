import { nearestNames } from '@toolwright/json';
import type { LintProblem, LintedTool } from './lint-problem.js';

/**
 * Tools whose `replacedBy` leads nowhere: no tool has the name, or the one that has it is deprecated itself. A model follows
 * the name.
 *
 * @param severity of a name that no tool has. Without the app, nobody knows which tools it adds while it runs
 */
export function lintReplacements(
  tools: readonly LintedTool[],
  severity: LintProblem['severity'],
): LintProblem[] {
  const names = [...new Set(tools.flatMap(namesOf))];
  return tools.flatMap((tool): LintProblem[] => {
    const { name, location, planned } = tool;
    const replacedBy = planned?.replacedBy;
    const version = planned?.version;
    if (replacedBy === undefined) return [];
    const meant = tools.filter((other) => namesOf(other).includes(replacedBy));
    const problem = (of: LintProblem['severity'], message: string): LintProblem => ({
      rule: 'replaced-by',
      severity: of,
      message,
      tool: version === undefined ? name : `${name}.v${version}`,
      ...(location && { location }),
    });
    if (meant.length === 0) {
      const near = nearestNames(replacedBy, names)[0];
      const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
      return [problem(severity, `it is replaced by "${replacedBy}", and no tool has this name.${hint}`)];
    }
    if (meant.includes(tool)) return [problem('error', 'it is replaced by itself.')];
    const next = meant.find(({ planned }) => planned?.replacedBy !== undefined)?.planned?.replacedBy;
    const instead = next === undefined ? 'one that is not' : `"${next}"`;
    return meant.every(isDeprecated)
      ? [problem('error', `it is replaced by "${replacedBy}", which is deprecated itself. Name ${instead}.`)]
      : [];
  });
}

/** The names that callers use: the newest version has the bare one, too. */
function namesOf({ name, planned }: LintedTool): string[] {
  const isOutdated = planned?.isOutdated ?? false;
  const version = planned?.version;
  return [...(isOutdated ? [] : [name]), ...(version === undefined ? [] : [`${name}.v${version}`])];
}

function isDeprecated({ deprecated = false, planned }: LintedTool): boolean {
  return deprecated || planned?.isDeprecated === true || planned?.isOutdated === true;
}
