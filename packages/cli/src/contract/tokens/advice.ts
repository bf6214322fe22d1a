import { type CountTokens, partsOfTool, wordsOf } from '@toolwright/json';
import type { TokenCounts, ToolContract } from '../lock-file.js';

/** How many parts, or tools, are named. */
const NAMED = 3;

/** What takes most of a tool: its description, an argument, its result. */
export function adviceForTool(tool: ToolContract, count: CountTokens): string {
  const largest = partsOfTool(tool, count).slice(0, NAMED);
  return `Cut what takes most: ${largest.map(([part, tokens]) => `${part} ${tokens}`).join(', ')}.`;
}

/** Which tools to merge, and which ones take most of the list. */
export function adviceForList(tools: readonly ToolContract[], { tools: sizes }: TokenCounts): string {
  const largest = tools
    .map(({ name }) => [name, sizes[name] ?? 0] as const)
    .sort(([, a], [, b]) => b - a)
    .slice(0, NAMED)
    .map(([name, tokens]) => `${name} ${tokens}`);
  const alike = mergeable(tools).slice(0, NAMED);
  const merge = alike.map((names) => names.join(' and ')).join('; ');
  return `${merge ? `Merge: ${merge}. ` : ''}Cut what takes most: ${largest.join(', ')}.`;
}

/** Groups of tools about one thing with the same arguments: one tool with an option can do their work. */
function mergeable(tools: readonly ToolContract[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const { name, inputSchema, annotations = {} } of tools) {
    const noun = nounOf(name);
    const names = Object.keys(inputSchema.properties ?? {}).sort();
    if (noun === '' || names.length === 0) continue;
    // A tool that only reads and one that writes need different guards.
    const key = JSON.stringify([noun, names, annotations.readOnlyHint, annotations.destructiveHint]);
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()].filter(({ length }) => length > 1).sort((a, b) => b.length - a.length);
}

/** The name without its verb, in the singular: `note` for `find_notes` and `getNote`. */
function nounOf(name: string): string {
  const [, ...rest] = wordsOf(name);
  return rest.map((word) => word.replace(/s$/, '')).join(' ');
}
