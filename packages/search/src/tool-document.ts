import type { BoundTool } from '@toolwright/core';
import { actionOf } from './actions.js';
import { nameTermsOf, originTermsOf, termsOf } from './words.js';

/** What is searched of a tool: the stems of its words, by the part that has them. */
export interface ToolDocument {
  readonly name: readonly string[];
  /** The words that the author gave for it. */
  readonly searchTerms: readonly string[];
  readonly category: readonly string[];
  /** Its title, and the first sentence of its description. */
  readonly summary: readonly string[];
  readonly description: readonly string[];
  /** The names of its arguments. */
  readonly arguments: readonly string[];
  /** What it does, by the first verb of its name. */
  readonly action: string | undefined;
  /** How many arguments a call must have. */
  readonly required: number;
  /** The API or server that it came from, where a package says so. */
  readonly origin: string | undefined;
}

export type SearchedTool = Pick<BoundTool, 'name' | 'title' | 'description' | 'inputSchema' | 'extra'>;

/** A long description says little that its beginning does not say. */
const MOST_DESCRIPTION = 600;
const MOST_ARGUMENTS = 20;

export function documentOf(tool: SearchedTool): ToolDocument {
  const { first, rest } = sentencesOf(tool.description ?? '');
  const { searchTerms = [], category, group, origin } = tool.extra ?? {};
  const names = Object.keys(tool.inputSchema.properties ?? {}).slice(0, MOST_ARGUMENTS);
  const name = nameTermsOf(tool.name);
  return {
    name,
    searchTerms: searchTerms.flatMap(termsOf),
    category: [...termsOf(category ?? group ?? ''), ...originTermsOf(origin ?? '')],
    summary: [...termsOf(tool.title ?? ''), ...nameTermsOf(first)],
    description: termsOf(rest.slice(0, MOST_DESCRIPTION)),
    arguments: names.flatMap(termsOf),
    action: name.map(actionOf).find((action) => action !== undefined),
    required: tool.inputSchema.required?.length ?? 0,
    origin,
  };
}

/** Where a tool came from, and the kind of thing that it is about: its category, or else its group. */
export function categoryOf({ extra }: Pick<SearchedTool, 'extra'>): string | undefined {
  const { origin, group, category = group } = extra ?? {};
  return origin === undefined || category === undefined ? (category ?? origin) : `${origin}: ${category}`;
}

function sentencesOf(text: string): { first: string; rest: string } {
  const end = /[.!?](?=\s|$)|\n/.exec(text)?.index ?? text.length;
  return { first: text.slice(0, end), rest: text.slice(end + 1) };
}
