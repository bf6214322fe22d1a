import type { Definition } from '../generator/tjs-adapter.js';
import { bothHold } from './both-hold.js';
import type { DocKeywords } from './read-doc-keywords.js';

/** What a symbol without a doc comment says. */
export const NOTHING_SAID: DocKeywords = { keywords: {}, raw: {}, nullable: false, problems: [] };

/** Keywords that replace what the type says. They are wrong for another type. */
const OF_THE_TYPE = ['type', 'enum', '$ref', 'ignore'];

/**
 * What a member says, and what it inherits. Its own word about a keyword wins. A mark of `@sensitive` stays.
 *
 * @param isAlike whether both members have the same type
 */
export function inherit(own: DocKeywords, base: DocKeywords, isAlike: boolean): DocKeywords {
  const inherited = isAlike ? base.keywords : without(base.keywords, OF_THE_TYPE);
  return {
    keywords: inOrder({ ...inherited, ...own.keywords }),
    raw: { ...base.raw, ...own.raw },
    ...((base.items || own.items) && { items: { ...base.items, ...own.items } }),
    nullable: own.nullable || (isAlike && base.nullable),
    problems: own.problems,
  };
}

/** What is true of a list or an object as of the values inside: no limits, no type, and no examples. */
export function wordsOf(keywords: Definition): Definition {
  const words = Object.entries(keywords).filter(
    ([name]) => name.startsWith('x-') || ['title', 'description', 'deprecated', '$comment'].includes(name),
  );
  return Object.fromEntries(words);
}

/** What two parts of an intersection say about their common member. It has to fit both. */
export function sayBoth(one: DocKeywords, other: DocKeywords): DocKeywords {
  const keywords = bothHold(one.keywords, other.keywords);
  const [a, b] = [one.keywords.description, other.keywords.description];
  if (a !== undefined && b !== undefined && a !== b) keywords.description = `${a as string}\n${b as string}`;
  return {
    ...inherit(one, other, true),
    keywords: inOrder(keywords),
    problems: [...one.problems, ...other.problems],
  };
}

function without(keywords: Definition, names: readonly string[]): Definition {
  return Object.fromEntries(Object.entries(keywords).filter(([name]) => !names.includes(name)));
}

/** The description first, as in a comment. */
function inOrder(keywords: Definition): Definition {
  const { description, ...others } = keywords;
  return description === undefined ? others : { description, ...others };
}
