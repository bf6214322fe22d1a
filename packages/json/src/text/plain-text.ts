import { cutText } from './cut-text.js';
import { replaceHidden } from './hidden-characters.js';

/**
 * A text without markup, hidden characters and line ends. No pattern may look further than to where the next match could
 * begin: descriptions have 100 kB, and some are written to be slow.
 */
export function plainText(text: unknown): string {
  if (typeof text !== 'string') return '';
  const shown = text
    .replace(/```[^]*?```/g, ' ')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1')
    .replace(/^[ \t]*(?:#+|>|[-*+])\s+/gm, '')
    .replace(/(\*\*|__|`)/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
  return replaceHidden(shown, () => '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The first sentences that fit; a single sentence that is too long ends with an ellipsis. */
export function cutSentences(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // A sentence that ends later does not fit.
  const ends = [...text.slice(0, longest + 1).matchAll(/[.!?](?=\s|$)/g)].map(({ index }) => index + 1);
  const fitting = text.slice(0, ends.findLast((end) => end <= longest) ?? 0).trim();
  if (fitting !== '') return fitting;
  return `${cutText(text, longest - 1)
    .replace(/\s\S*$/, '')
    .trimEnd()}…`;
}
