import { cutText, replaceHidden } from '@toolwright/json';

/** What a model needs of a description: plain text, a sentence or two. */

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

/** The first paragraph says what it is about. */
const firstParagraph = (text: string) => text.split(/\n\s*\n/).find((part) => plainText(part) !== '') ?? '';

export function describeArgument(description: unknown, longest: number): string | undefined {
  if (typeof description !== 'string') return undefined;
  const text = cutSentences(plainText(firstParagraph(description)), longest);
  return text === '' ? undefined : text;
}

/** Summary and description in one. Neither is repeated. */
export function describeOperation(summary: unknown, description: unknown, longest: number): string {
  const [short, long] = [plainText(summary), plainText(firstParagraph(String(description ?? '')))];
  const isRepeated = short === '' || long.toLowerCase().startsWith(withoutEnd(short).toLowerCase());
  const text = long === '' ? short : isRepeated ? long : `${asSentence(short)} ${long}`;
  return asSentence(cutSentences(text, longest));
}

const withoutEnd = (text: string) => text.replace(/(?<![.!?…])[.!?…]+$/, '');
const asSentence = (text: string) => (text === '' || /[.!?…]$/.test(text) ? text : `${text}.`);
