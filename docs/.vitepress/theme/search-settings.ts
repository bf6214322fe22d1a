import { isEmptyWord, splitWords, stem } from '../../../packages/search/src/words.js';

/** The words of a text as `@toolwright/search` compares them. Names of errors stay whole, and names in camel case count as one word, too. */
function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => {
    if (word.includes('_')) return [word.toLowerCase()];
    const parts = splitWords(word);
    const names = parts.length > 1 ? [...parts, word.toLowerCase()] : parts;
    return names.filter((part) => !isEmptyWord(part)).map(stem);
  });
}

/** Pages for those who work on this repository, or who come with a name. A question is rarely about them. */
const forFew =
  /^\/(packages\/|contributing|architecture|reference-servers|errors|upgrading|security-policy|versions)/;

const common = new Set(['mcp', 'server', 'tool', 'client', 'call', 'toolwright', 'add', 'run'].map(stem));

/** The settings of MiniSearch for the build and for browsers, which read the index with the same words. */
export const searchSettings = {
  options: {
    fields: ['title', 'titles', 'text', 'asked'],
    tokenize: wordsOf,
    processTerm: (term: string): string => term,
  },
  searchOptions: {
    boost: { title: 2, titles: 1, text: 1, asked: 2 },
    bm25: { k: 1.2, b: 0.3, d: 0.2 },
    /** Words that half of the pages are about say little, wherever they are. */
    boostTerm: (term: string) => (common.has(term) ? 0.2 : 1),
    /** Somebody may still be typing the last word. */
    prefix: (term: string, at: number, terms: string[]) => at === terms.length - 1 && term.length > 2,
    fuzzy: (term: string) => (term.length > 5 && !term.includes('_') ? 0.2 : false),
    weights: { fuzzy: 0.1, prefix: 0.3 },
    /** A guide answers a question. The reference and the pages of errors answer those who know a name. */
    boostDocument: (id: string, term: string, stored?: Record<string, unknown>): number => {
      const name = (id.split('#')[0] ?? '').replace(/^.*\//, '').toLowerCase();
      if (id.startsWith('/errors/')) return name === term ? 4 : 0.1;
      if (id.startsWith('/reference/')) return name === term ? 0.5 : 0.1;
      const isTop = (stored?.['titles'] as string[] | undefined)?.length === 0;
      const first = isTop && !id.startsWith('/runbook/') ? 3 : 1;
      return forFew.test(id) ? first / 4 : first;
    },
  },
};
