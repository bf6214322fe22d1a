import type { SynonymTable } from '../synonyms.js';
import { stem, termsOf } from '../words.js';
import type { WordNet } from './word-net.js';

/** How many meanings of a word count. The rest are rare. */
const MEANINGS = 4;
const MOST_SPECIAL = 12;
/** How many words a query may name a word of a tool by. */
const MOST_PER_WORD = 30;

export const SHARES = { same: 60, special: 30, general: 25, gloss: 22, fade: 0.75 };

/**
 * Finds words that people may use for the words of tools: words of the same meaning, of a narrower and a wider one, and
 * the words that define it.
 *
 * @param words of names and first sentences, as they are written
 */
export function findSynonyms(words: Iterable<string>, wordNet: WordNet): SynonymTable {
  const table: Record<string, Record<string, number>> = {};
  for (const word of new Set(words)) {
    const target = stem(word);
    const found = [...namesOf(word, wordNet)]
      .sort(([, one], [, other]) => other - one)
      .slice(0, MOST_PER_WORD);
    for (const [name, weight] of found) {
      if (name === target) continue;
      const all = (table[name] ??= {});
      all[target] = Math.max(all[target] ?? 0, Math.round(weight));
    }
  }
  return table;
}

function namesOf(word: string, wordNet: WordNet): Map<string, number> {
  const names = new Map<string, number>();
  const add = (terms: readonly string[], weight: number) => {
    for (const term of terms) names.set(term, Math.max(weight, names.get(term) ?? 0));
  };
  for (const { meaning, part, rank } of wordNet.meanings(word)) {
    if (rank >= MEANINGS) continue;
    const share = SHARES.fade ** rank;
    add(singleWords(meaning.words), SHARES.same * share);
    add(definitionOf(meaning.gloss), SHARES.gloss * share);
    for (const address of meaning.special.slice(0, MOST_SPECIAL))
      add(singleWords(wordNet.at(part, address).words), SHARES.special * share);
    for (const address of meaning.general)
      add(singleWords(wordNet.at(part, address).words), SHARES.general * share);
  }
  return names;
}

/** Names of several words would find tools by one of them. */
function singleWords(words: readonly string[]): string[] {
  return words.filter((word) => /^[a-z]+$/.test(word)).map(stem);
}

/** The definition without its examples. */
function definitionOf(gloss: string): string[] {
  return termsOf(gloss.split(/; "/)[0]!);
}
