import { findLookAlikes } from '@toolwright/search/look-alikes';
import type { LintProblem, LintedTool } from './lint-problem.js';

/** Nobody works through more pairs at a time. */
const MOST_PAIRS = 20;

/** Pairs of tools that a model easily takes for each other, the most alike first. */
export function lintLookAlikes(tools: readonly LintedTool[]): LintProblem[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const described = tools.map(({ name, title, description, input }) => ({
    name,
    description,
    inputSchema: input,
    ...(title !== undefined && { title }),
  }));
  const pairs = findLookAlikes(described);
  return pairs.slice(0, MOST_PAIRS).map(({ tools: [one, other], separating: [own, theirs] }) => ({
    rule: 'look-alike',
    severity: 'warning',
    tool: one,
    message: `A model easily takes it for "${other}". ${advice(own, theirs, other)}`,
    ...(byName.get(one)?.location && { location: byName.get(one)!.location! }),
  }));
}

function advice(own: readonly string[], theirs: readonly string[], other: string): string {
  const words = [
    ...(own.length > 0 ? [`here ${quoted(own)}`] : []),
    ...(theirs.length > 0 ? [`in "${other}" ${quoted(theirs)}`] : []),
  ];
  return words.length > 0
    ? `Say in the first sentence of both what tells them apart: ${words.join(', ')}.`
    : 'No word tells them apart: say in the first sentence of each when to use it.';
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' ');
}
