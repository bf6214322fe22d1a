import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema, shortForm, toClientSafe, unpublishedIn } from '@toolwright/json';
import type { ToolContract } from './lock-file.js';

/** A tool as lists show it: words stand for the long patterns of validators. The lock has the patterns. */
export function inShort(tool: ToolContract): ToolContract {
  return { ...tool, inputSchema: shortForm(tool.inputSchema) };
}

/**
 * A tool that a list shows in short, with all patterns.
 *
 * @param natural the exact schema of its arguments, if it is known
 */
export function withPatterns(tool: ToolContract, natural: JsonSchema | undefined): ToolContract {
  if (!natural) return tool;
  const whole = toClientSafe(natural, { role: 'input' });
  return isDeepStrictEqual(shortForm(whole), tool.inputSchema) ? { ...tool, inputSchema: whole } : tool;
}

/**
 * The tools of a lock in the form that a running server shows, so that patterns that its list leaves out do not look like
 * changes. A tool whose list still has patterns stays.
 */
export function asListed(
  before: readonly ToolContract[],
  after: readonly ToolContract[],
): readonly ToolContract[] {
  const short = new Set(
    after.filter(({ inputSchema }) => unpublishedIn(inputSchema).length === 0).map(({ name }) => name),
  );
  return before.map((tool) => (short.has(tool.name) ? inShort(tool) : tool));
}
