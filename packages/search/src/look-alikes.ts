import { getOrMake } from '@toolwright/json';
import { isUnspaced } from './segments.js';
import { Synonyms } from './synonyms.js';
import { type SearchedTool, type ToolDocument, documentOf } from './tool-document.js';
import { splitWords, stem } from './words.js';

/** Two tools that are easily taken for each other. */
export interface LookAlikes {
  readonly tools: readonly [string, string];
  /** From 0 to 1. */
  readonly likeness: number;
  /** Words that only the first tool has, and words that only the second one has: they tell the two apart. */
  readonly separating: readonly [readonly string[], readonly string[]];
}

/**
 * A model reads a short list as a whole: it only confuses tools that do the same kind of thing and share nearly all of their
 * words. Among many tools it searches, often for a thing without the verb. Then less is enough.
 */
const RULES = {
  few: { least: 0.6, perTool: 3, sameAction: true },
  many: { least: 0.4, perTool: 20, sameAction: false },
};

/** More tools than this are searched, and not read. */
const FEW = 100;

/** How much a word says, by the part of the tool that has it. */
const SHARES = {
  name: 3,
  searchTerms: 1,
  category: 1,
  summary: 3,
  description: 0.3,
  arguments: 0.7,
} as const;

/** How much a synonym is like the word. */
const SYNONYM = 0.8;
const MOST_WORDS = 4;
interface Posting {
  readonly tool: number;
  readonly weight: number;
}

/**
 * Ranks pairs of tools that share words, arguments and purpose.
 *
 * @returns the most alike first; equal ones in the order of the tools
 */
export function findLookAlikes(tools: readonly SearchedTool[]): LookAlikes[] {
  const { least, perTool, sameAction } = tools.length > FEW ? RULES.many : RULES.few;
  const documents = tools.map(documentOf);
  const vectors = vectorsOf(documents);
  const mayPair = (one: number, other: number) =>
    !sameAction || documents[one]!.action === documents[other]!.action;
  const postings = new Map<string, Posting[]>();
  vectors.forEach((vector, tool) => {
    for (const [term, weight] of vector) {
      getOrMake(postings, term, () => []).push({ tool, weight });
    }
  });
  const neighbours = new Neighbours(postings, tools.length);
  const pairs = new Map<string, LookAlikes>();
  vectors.forEach((vector, one) => {
    for (const { tool: other, likeness } of neighbours
      .of(one, vector, least)
      .filter(({ tool }) => mayPair(one, tool))
      .slice(0, perTool)) {
      const [first, second] = one < other ? [one, other] : [other, one];
      const key = `${first} ${second}`;
      if (pairs.has(key)) continue;
      const both = [tools[first]!, tools[second]!] as const;
      pairs.set(key, {
        tools: [both[0].name, both[1].name],
        likeness: Math.round(likeness * 100) / 100,
        separating: [wordsOnlyOf(both[0], both[1]), wordsOnlyOf(both[1], both[0])],
      });
    }
  });
  return [...pairs.values()].sort((one, other) => other.likeness - one.likeness);
}

type Vector = ReadonlyMap<string, number>;

function vectorsOf(documents: readonly ToolDocument[]): Vector[] {
  const synonyms = new Synonyms();
  const frequency = new Map<string, number>();
  const all = documents.map((document) => {
    const vector = new Map<string, number>();
    for (const [part, share] of Object.entries(SHARES)) {
      const terms = new Set(document[part as keyof typeof SHARES]);
      for (const term of terms) vector.set(term, (vector.get(term) ?? 0) + share / Math.sqrt(terms.size));
    }
    for (const [term, weight] of [...vector])
      for (const [synonym, share] of synonyms.of(term))
        vector.set(synonym, Math.max(vector.get(synonym) ?? 0, weight * share * SYNONYM));
    for (const term of vector.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
    return vector;
  });
  return all.map((vector) => {
    const weighted = [...vector].map(
      ([term, weight]) => [term, weight * Math.log(1 + documents.length / frequency.get(term)!)] as const,
    );
    const length = Math.hypot(...weighted.map(([, weight]) => weight)) || 1;
    return new Map(weighted.map(([term, weight]) => [term, weight / length]));
  });
}

/** Finds the tools that are most like one tool. Its table is used again for each tool. */
class Neighbours {
  readonly #likeness: Float64Array;

  constructor(
    private readonly postings: ReadonlyMap<string, readonly Posting[]>,
    tools: number,
  ) {
    this.#likeness = new Float64Array(tools);
  }

  of(tool: number, vector: Vector, least: number): { tool: number; likeness: number }[] {
    const touched: number[] = [];
    for (const [term, weight] of vector)
      for (const { tool: other, weight: theirs } of this.postings.get(term)!) {
        if (this.#likeness[other] === 0) touched.push(other);
        this.#likeness[other]! += weight * theirs;
      }
    const found = touched.flatMap((other) => {
      const likeness = this.#likeness[other]!;
      this.#likeness[other] = 0;
      return other === tool || likeness < least ? [] : [{ tool: other, likeness }];
    });
    return found.sort((one, other) => other.likeness - one.likeness || one.tool - other.tool);
  }
}

/** The words of a tool's name and description that the other one lacks, those of the name first. */
function wordsOnlyOf(tool: SearchedTool, other: SearchedTool): string[] {
  const theirs = new Set(splitWords(textOf(other)).map(stem));
  const own = splitWords(textOf(tool)).filter(
    (word) => (word.length > 2 || isUnspaced(word)) && !theirs.has(stem(word)),
  );
  return [...new Set(own)].slice(0, MOST_WORDS);
}

function textOf({ name, title = '', description = '', inputSchema }: SearchedTool): string {
  return [name, title, description, ...Object.keys(inputSchema.properties ?? {})].join(' ');
}
