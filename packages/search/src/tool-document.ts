import type { BoundTool } from '@toolwright/core';
import { actionOf, isVerb } from './actions.js';
import type { BOOSTS } from './weights.js';
import {
  type WordForm,
  nameTermsOf,
  nameWordsOf,
  originTermsOf,
  splitWords,
  termsOf,
  thingOf,
  wordForm,
  wordsOf,
} from './words.js';

/** The parts of a tool that have words. */
export type SearchedPart = keyof typeof BOOSTS;

/** The parts whose words count by their forms, too. In the others, a word says so little that its form says nothing. */
export const FORMED_PARTS = ['name', 'searchTerms', 'category', 'summary'] as const;
type FormedPart = (typeof FORMED_PARTS)[number];

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
  /** The words of the parts that say most, by their forms. */
  readonly forms: Readonly<Record<FormedPart, readonly WordForm[]>>;
  /** What it does, by the first verb of its name, or of its summary. */
  readonly action: string | undefined;
  /** The thing that it is about, by its name. */
  readonly thing: string | undefined;
  /** How many arguments a call must have. */
  readonly required: number;
  /** The API or server that it came from, where a package says so. */
  readonly origin: string | undefined;
}

export type SearchedTool = Pick<BoundTool, 'name' | 'title' | 'description' | 'inputSchema' | 'extra'>;

/**
 * A long text says little that its beginning does not say. Words of scripts without spaces take more than linear time to find, and
 * a server behind may send hundreds of kilobytes of them.
 */
const MOST_TEXT = 600;
const MOST_ARGUMENTS = 20;

export function documentOf(tool: SearchedTool): ToolDocument {
  const { first, rest } = sentencesOf(tool.description ?? '');
  const { searchTerms = [], category, group, origin } = tool.extra ?? {};
  const names = Object.keys(tool.inputSchema.properties ?? {})
    .slice(0, MOST_ARGUMENTS)
    .map((name) => name.slice(0, MOST_TEXT));
  const forms = {
    name: nameWordsOf(tool.name).map(wordForm),
    searchTerms: searchTerms.flatMap(wordsOf).map(wordForm),
    category: wordsOf(category ?? group ?? '').map(wordForm),
    summary: [...wordsOf((tool.title ?? '').slice(0, MOST_TEXT)), ...nameWordsOf(first)].map(wordForm),
  };
  const stems = (part: FormedPart) => forms[part].map(({ stem }) => stem);
  const name = [...new Set(stems('name'))];
  return {
    name,
    searchTerms: stems('searchTerms'),
    category: [...stems('category'), ...originTermsOf(origin ?? '')],
    summary: stems('summary'),
    description: termsOf(rest.slice(0, MOST_TEXT)),
    arguments: names.flatMap(termsOf),
    forms,
    action: doneBy(name, nameTermsOf(first)),
    thing: thingOf(splitWords(tool.name), isVerb),
    required: tool.inputSchema.required?.length ?? 0,
    origin,
  };
}

/** Methods of HTTP that say little: names of imported APIs begin with them. */
const METHODS = new Set(['post', 'put', 'patch']);

/** A name that begins with a method of HTTP leaves it to the first word of the summary: `Updates a plan`. */
function doneBy(name: readonly string[], [first = '']: readonly string[]): string | undefined {
  const verb = name.find((word) => actionOf(word) !== undefined);
  const stated = actionOf(first);
  const isMethod = verb !== undefined && METHODS.has(verb) && name.indexOf(verb) < 2;
  return isMethod && stated !== undefined ? stated : verb === undefined ? stated : actionOf(verb);
}

/** Where a tool came from, and the kind of thing that it is about: its category, or else its group. */
export function categoryOf({ extra }: Pick<SearchedTool, 'extra'>): string | undefined {
  const { origin, group, category = group } = extra ?? {};
  return origin === undefined || category === undefined ? (category ?? origin) : `${origin}: ${category}`;
}

function sentencesOf(text: string): { first: string; rest: string } {
  const end = /[.!?](?=\s|$)|[。！？\n]/.exec(text)?.index ?? text.length;
  return { first: text.slice(0, Math.min(end, MOST_TEXT)), rest: text.slice(end + 1) };
}
