import { actionOf } from './actions.js';
import type { ToolDocument } from './tool-document.js';
import { originTermsOf } from './words.js';

/** A first word of this number of names is the name of an API. */
const FEWEST = 8;

/** Of the tools that have a word, this share must come from one place. Then the word names the place. */
const SHARE = 0.8;

/** The API or the server that each tool belongs to, and which of them a query names. */
export class Spaces {
  #ofTools: (string | undefined)[] = [];
  /** The words that name a space. */
  readonly #words = new Map<string, string>();

  /**
   * @param having the positions of the tools that have a word
   */
  keep(documents: readonly ToolDocument[], having: (word: string) => readonly number[]): void {
    const first = new Map<string, number>();
    for (const { name } of documents)
      if (name[0] !== undefined && actionOf(name[0]) === undefined)
        first.set(name[0], (first.get(name[0]) ?? 0) + 1);
    this.#ofTools = documents.map(({ origin, name: [word = ''] }) => {
      return origin ?? ((first.get(word) ?? 0) >= FEWEST ? word : undefined);
    });
    this.#words.clear();
    for (const [word, tools] of first) if (tools >= FEWEST) this.#words.set(word, word);
    for (const origin of new Set(documents.map((each) => each.origin)))
      if (origin !== undefined) this.#nameBy(origin, having);
  }

  /** The space of the tool at a position. */
  of(position: number): string | undefined {
    return this.#ofTools[position];
  }

  /** The space that a query names. */
  namedBy(terms: readonly string[]): string | undefined {
    const word = terms.find((term) => this.#words.has(term));
    return word === undefined ? undefined : this.#words.get(word);
  }

  /** Whether a word names the space of the tool at a position. */
  isName(word: string, position: number): boolean {
    const space = this.of(position);
    return space !== undefined && this.#words.get(word) === space;
  }

  #nameBy(origin: string, having: (word: string) => readonly number[]): void {
    for (const word of originTermsOf(origin)) {
      const all = having(word);
      const own = all.filter((position) => this.#ofTools[position] === origin).length;
      if (own >= all.length * SHARE) this.#words.set(word, origin);
    }
  }
}
