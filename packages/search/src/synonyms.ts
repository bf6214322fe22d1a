import { getOrMake } from '@toolwright/json';
import { phrases, things, verbs } from './thesaurus.js';
import { type WordForm, stem, wordForm } from './words.js';

/** For a word of a query: the words of tools that it may mean, with weights from 1 to 100. */
export type SynonymTable = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** How much a word counts that may stand for the one of the query. */
const SHARES = { verb: 0.55, thing: 0.7 };

/** Words that may stand for a word, by their stems. */
export class Synonyms {
  readonly #known = new Map<string, Map<string, number>>();
  readonly #dictionary = new Map<string, Map<string, number>>();
  /** The keys of the words of `#known`. */
  readonly #forms = new Set<string>();

  constructor() {
    this.#addGroups(verbs, SHARES.verb);
    this.#addGroups(things, SHARES.thing);
  }

  #addGroups(groups: readonly string[], share: number): void {
    for (const group of groups) {
      const written = group.split(' ');
      for (const word of written) this.#forms.add(wordForm(word).key);
      const words = written.map(stem);
      for (const word of words) for (const other of words) this.#add(word, other, share);
    }
  }

  /** Takes in what a build has found in a dictionary. */
  addTable(table: SynonymTable): void {
    for (const [word, all] of Object.entries(table)) {
      const known = getOrMake(this.#dictionary, word, () => new Map());
      for (const [synonym, percent] of Object.entries(all)) known.set(synonym, percent / 100);
    }
  }

  /** The words that a word may mean, with weights from 0 to 1. */
  of(word: string): ReadonlyMap<string, number> {
    return this.#known.get(word) ?? NONE;
  }

  /** Whether the words that a stem may mean are those of this word, and not of another word with its stem. */
  knows({ key }: WordForm): boolean {
    return this.#forms.has(key);
  }

  /** The same by the dictionary. It has more words, and knows less about APIs: ask it about words that nothing else knows. */
  inDictionary(word: string): ReadonlyMap<string, number> {
    return this.#dictionary.get(word) ?? NONE;
  }

  #add(word: string, synonym: string, weight: number): void {
    if (word === synonym) return;
    const all = getOrMake(this.#known, word, () => new Map());
    all.set(synonym, Math.max(weight, all.get(synonym) ?? 0));
  }
}

const NONE: ReadonlyMap<string, number> = new Map();

const allPhrases = phrases.map(([said, meant]) => [new RegExp(`\\b(?:${said})\\b`, 'gi'), meant] as const);

/** A query with the words that its phrases mean: `get rid of the page` is `delete the page`. */
export function withoutPhrases(query: string): string {
  return allPhrases.reduce((text, [said, meant]) => text.replace(said, ` ${meant} `), query);
}
