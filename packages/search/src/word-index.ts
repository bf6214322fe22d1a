import SearchableMap from 'minisearch/SearchableMap';
import { type Forms, formPostings, stemPostings } from './postings.js';
import type { QueryTerm } from './query.js';
import { isUnspaced } from './segments.js';
import type { Synonyms } from './synonyms.js';
import type { ToolDocument } from './tool-document.js';
import type { VisibleTools } from './visible-tools.js';
import { WEIGHTS } from './weights.js';
import { wordForm } from './words.js';
import type { Meant, Postings } from './word-scores.js';

/** Shorter words have too many neighbours. */
const SHORTEST_TYPO = 4;

/** Words of scripts without spaces have two characters, and not one of them is a typo for another. */
const SHORTEST_UNSPACED = 2;

/** What is meant less often than this would only take time. */
const LEAST_MEANT = 0.1;

/** The words of all tools. A word that only hidden tools have does not exist for a caller. */
export class WordIndex {
  #words = new SearchableMap<Postings>();
  #forms: ReadonlyMap<string, Forms> = new Map();

  constructor(private readonly synonyms: Synonyms) {}

  /** Takes in the words of the tools. @returns the positions of the tools that have a stem */
  keep(documents: readonly ToolDocument[]): (stem: string) => readonly number[] {
    const words = stemPostings(documents);
    this.#words = SearchableMap.from(words);
    this.#forms = formPostings(documents);
    return (stem) => words.get(stem)?.documents ?? [];
  }

  /** The words of visible tools that a word of a query may mean. */
  meantBy({ word: said, stem: term, joined, senses }: QueryTerm, visible: VisibleTools): Meant[] {
    const found: Meant[] = [];
    const addPostings = (word: string, postings: Postings, weight: number) => {
      if (visible.countOf(postings.documents) > 0)
        found.push({ word, postings, weight, rarity: visible.rarityOf(postings.documents) });
    };
    const add = (word: string, weight: number) => {
      const postings = this.#words.get(word);
      if (postings) addPostings(word, postings, weight);
    };
    const form = wordForm(said);
    const exact = this.#exact(form, visible);
    if (exact) addPostings(term, exact, 1);
    if (term !== '') add(term, exact ? WEIGHTS.sameStem : 1);
    for (const word of joined) add(word, WEIGHTS.joined);
    // Where tools have the word itself, it does not mean what other words of its stem mean.
    if (!exact || this.synonyms.knows(form))
      for (const [synonym, weight] of this.synonyms.of(term)) add(synonym, weight);
    if (senses) {
      const all = new Map(senses);
      for (const [word, share] of senses)
        for (const [synonym, weight] of this.synonyms.of(word))
          all.set(synonym, Math.max(all.get(synonym) ?? 0, share * weight * WEIGHTS.senseSynonym));
      for (const [word, weight] of all) if (weight >= LEAST_MEANT) add(word, weight);
      if (found.length > 0 || senses.size > 0 || term.length < 6) return found;
      for (const [word] of this.#words.fuzzyGet(term, 1)) add(word, WEIGHTS.typo);
      return found;
    }
    if (found.length > 0) return found;
    for (const [synonym, weight] of this.synonyms.inDictionary(term)) add(synonym, weight);
    const isWhole = isUnspaced(term);
    if (isWhole) for (const part of [term, ...joined].flatMap(partsOf)) add(part, WEIGHTS.joined);
    if (found.length > 0 || term.length < (isWhole ? SHORTEST_UNSPACED : SHORTEST_TYPO)) return found;
    for (const word of this.#words.atPrefix(term).keys()) add(word, WEIGHTS.prefix);
    if (found.length > 0 || isWhole) return found;
    for (const [word] of this.#words.fuzzyGet(term, term.length > 5 ? 2 : 1)) add(word, WEIGHTS.typo);
    return found;
  }

  /** The tools that have the word itself, where visible tools have several words of its stem. */
  #exact(
    { stem, key }: { readonly stem: string; readonly key: string },
    visible: VisibleTools,
  ): Postings | undefined {
    const forms = this.#forms.get(stem);
    const own = forms?.get(key);
    if (!own || visible.countOf(own.documents) === 0) return undefined;
    for (const [other, { documents }] of forms!)
      if (other !== key && visible.countOf(documents) > 0) return own;
    return undefined;
  }
}

/** The beginnings and ends of a word: where words are not spaced, the same text may be divided at other places. */
function partsOf(term: string): string[] {
  const parts: string[] = [];
  for (let at = 1; at < term.length; at++) parts.push(term.slice(0, at), term.slice(at));
  return parts.filter(({ length }) => length >= SHORTEST_UNSPACED);
}
