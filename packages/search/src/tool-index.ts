import MiniSearch from 'minisearch';
import { Synonyms } from './synonyms.js';
import { type SearchedTool, type ToolDocument, documentOf } from './tool-document.js';
import { queryTermsOf } from './words.js';

const FIELDS = ['name', 'searchTerms', 'category', 'summary', 'description', 'arguments'] as const;

const BOOST: Readonly<Record<(typeof FIELDS)[number], number>> = {
  name: 4,
  searchTerms: 4,
  category: 2,
  summary: 2.5,
  description: 0.6,
  arguments: 0.5,
};

/** Shorter words have too many neighbours. */
const SHORTEST_TYPO = 4;

/** A word that is only like the one of the query. */
const TYPO_WEIGHT = 0.7;

interface Entry<T> extends ToolDocument {
  readonly id: number;
  readonly tool: T;
}

/** Finds tools by words. It keeps up with a server whose tools change. */
export class ToolIndex<T extends SearchedTool> {
  readonly #search = new MiniSearch<Entry<T>>({
    fields: [...FIELDS],
    extractField: (entry, field) => entry[field as 'id'] as never,
    // Documents bring their terms, and queries are split before.
    tokenize: (terms) => terms as unknown as string[],
    processTerm: (term) => term,
    stringifyField: (value) => value as string,
  });
  readonly #entries = new Map<T, Entry<T>>();
  readonly #byId = new Map<number, Entry<T>>();
  #nextId = 0;

  constructor(readonly synonyms: Synonyms = new Synonyms()) {}

  /** Takes in what is new, and forgets what is gone. */
  keep(tools: readonly T[]): void {
    const present = new Set(tools);
    for (const [tool, entry] of this.#entries) {
      if (present.has(tool)) continue;
      this.#search.remove(entry);
      this.#entries.delete(tool);
      this.#byId.delete(entry.id);
    }
    for (const tool of tools) {
      if (this.#entries.has(tool)) continue;
      const entry = { id: this.#nextId++, tool, ...documentOf(tool) };
      this.#entries.set(tool, entry);
      this.#byId.set(entry.id, entry);
      this.#search.add(entry);
    }
  }

  /**
   * @param among what may be found
   * @returns best first; equal ones in the order of the server
   */
  find(query: string, among: ReadonlySet<T>, limit: number): T[] {
    const terms = [...new Set(queryTermsOf(query))];
    const scores = new Map<T, number>();
    const add = (term: string, weight: number, options = {}) => {
      const hits = this.#search.search(term, { ...PLAIN, ...options });
      for (const { id, score } of hits) {
        const { tool } = this.#byId.get(id as number)!;
        if (among.has(tool)) scores.set(tool, (scores.get(tool) ?? 0) + score * weight);
      }
      return hits.length > 0;
    };
    for (const term of terms) {
      if (!add(term, 1)) add(term, TYPO_WEIGHT, { fuzzy: typosIn(term) });
      for (const [synonym, weight] of this.synonyms.of(term)) add(synonym, weight * 0.5);
    }
    return [...scores]
      .map(([tool, score]) => ({ tool, score: score * simplicityOf(this.#entries.get(tool)!) }))
      .sort((one, other) => other.score - one.score || this.#orderOf(one.tool) - this.#orderOf(other.tool))
      .slice(0, limit)
      .map(({ tool }) => tool);
  }

  /** Names that are like a name that does not exist. */
  nearest(name: string, among: readonly T[]): string[] {
    return this.find(name, new Set(among), 2).map((tool) => tool.name);
  }

  #orderOf(tool: T): number {
    return this.#entries.get(tool)!.id;
  }
}

const PLAIN = {
  boost: BOOST,
  tokenize: (term: string) => [term],
} as const;

/** How many wrong letters a word may have that no tool has. */
function typosIn({ length }: string): number {
  if (length < SHORTEST_TYPO) return 0;
  return length > 5 ? 2 : 1;
}

/** Of two tools with the same words, callers nearly always mean the simpler one. */
function simplicityOf({ name }: ToolDocument): number {
  return 1 / (1 + 0.05 * name.length);
}
