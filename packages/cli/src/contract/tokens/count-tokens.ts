import { type CountTokens, tokensOfTool, type ToolInList } from '@toolwright/json';
import { asListedForSome } from '../audiences.js';
import type { TokenCounts, ToolContract } from '../lock-file.js';
import { inShort } from '../short-tools.js';

/**
 * The counter of o200k. The ranks are 2 MB of code, so that only the commands that count load them.
 */
export async function loadCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // A description may contain the words of a special token. They are text here.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => partsOf(text).reduce((sum, part) => sum + countTokens(part, asText), 0);
}

/** The time of a word grows with the square of its length: 100,000 letters take seconds. No word of people is so long. */
const LONG_WORD = /(?:[\p{L}\p{M}]{256}|[^\s\p{L}\p{N}]{256}|\s{256})/gu;

/** A text, cut inside words that are too long. */
function partsOf(text: string): string[] {
  const ends = [...text.matchAll(LONG_WORD)].map(({ 0: word, index }) => index + word.length);
  return [0, ...ends].map((start, at) => text.slice(start, ends[at]));
}

/**
 * @param tools in the form in which a list shows them
 * @param forSome the tools that only some callers see, each named with them. No total has them, because no list has all of them.
 */
export async function countTools(
  tools: readonly ToolInList[],
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
