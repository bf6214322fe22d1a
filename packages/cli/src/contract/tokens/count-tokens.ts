import { asListedForSome } from '../audiences.js';
import type { TokenCounts, ToolContract } from '../lock-file.js';
import { inShort } from '../short-tools.js';

/** What a list has of a tool. */
export type Published = Pick<
  ToolContract,
  'name' | 'title' | 'description' | 'annotations' | 'inputSchema' | 'outputSchema'
>;

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/**
 * The counter of o200k. The ranks are 2 MB of code, so that only the commands that count load them.
 */
export async function loadCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // A description may contain the words of a special token. They are text here.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, asText);
}

/** The tokens of one tool: what a list has of it, as JSON. An import and `toolSearch` count the same members. */
export function tokensOfTool(tool: Published, count: CountTokens): number {
  const { name, title, description, annotations, inputSchema, outputSchema } = tool;
  return count(JSON.stringify({ name, title, description, annotations, inputSchema, outputSchema }));
}

/**
 * @param tools in the form in which a list shows them
 * @param forSome the tools that only some callers see, each named with them. No total has them, because no list has all of them.
 */
export async function countTools(
  tools: readonly Published[],
  forSome: readonly ToolContract[] = [],
): Promise<TokenCounts> {
  const count = await loadCounter();
  const counted = tools.map((tool) => [tool.name, tokensOfTool(tool, count)] as const);
  const listed = asListedForSome(forSome).map(inShort);
  const ofSome = listed.map((tool, at) => [forSome[at]!.name, tokensOfTool(tool, count)] as const);
  const sorted = [...counted, ...ofSome].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    counted: 'o200k',
    total: counted.reduce((sum, [, tokens]) => sum + tokens, 0),
    tools: Object.fromEntries(sorted),
  };
}
