import { withoutPhrases } from './synonyms.js';
import { isVerb } from './actions.js';
import { isEmptyWord, isRelation, splitWords, stem, thingOf } from './words.js';

/** A word of a query. */
export interface QueryTerm {
  /** As it was written, in lower case. */
  readonly word: string;
  readonly stem: string;
  /** Two words of the query as one, such as `rollback` for `roll back`. */
  readonly joined: readonly string[];
  /** It says where or how: `message` in `find commits by message`. */
  readonly isAside: boolean;
}

/** After these words, a query says where or how. `of` is not among them: `the history of a channel`. */
const ASIDES = new Set(['by', 'with', 'from', 'in', 'on', 'at', 'for']);

/** Nobody says what a tool does in more characters. What comes after them would only take time. */
const LONGEST = 1_000;

/** The stem of the thing that a query is about, if it also says where or whose: `members` in `the members of a board`. */
export function thingOfQuery(query: string): string | undefined {
  const words = splitWords(withoutPhrases(query.slice(0, LONGEST)));
  const at = words.findIndex((word, index) => index > 0 && isRelation(word));
  return at < 0 ? undefined : thingOf(words.slice(0, at), isVerb);
}

/** The words of a query, each once. If nothing else is left, words that say nothing count. */
export function readQuery(query: string): QueryTerm[] {
  const words = splitWords(withoutPhrases(query.slice(0, LONGEST)));
  const isAll = words.every(isEmptyWord);
  const terms = new Map<string, QueryTerm>();
  let isAside = false;
  words.forEach((word, at) => {
    // A query may begin with such a word.
    if (ASIDES.has(word) && terms.size > 0) isAside = true;
    if (isEmptyWord(word) && !isAll) return;
    const key = stem(word);
    if (terms.has(key)) return;
    const [before, after] = [words[at - 1], words[at + 1]];
    const joined = [before && stem(before + word), after && stem(word + after)].filter(
      (each) => each !== undefined,
    );
    terms.set(key, { word, stem: key, joined, isAside });
  });
  return [...terms.values()];
}
