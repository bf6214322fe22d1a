import { cutText } from '@toolwright/core/extend';

/** What a model needs of a description: plain text, a sentence or two. */

/** Characters that nobody sees: they can hide instructions for a model. */
const HIDDEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- naming them is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ue000-\uf8ff]|[\u{e0000}-\u{e0fff}]|[\u{f0000}-\u{10ffff}]/gu;

/**
 * A text without markup, hidden characters and line ends. No pattern may look further than to where the next match could
 * begin: descriptions have 100 kB, and some are written to be slow.
 */
export function plainText(text: unknown): string {
  if (typeof text !== 'string') return '';
  return text
    .replace(/```[^]*?```/g, ' ')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1')
    .replace(/^[ \t]*(?:#+|>|[-*+])\s+/gm, '')
    .replace(/(\*\*|__|`)/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(HIDDEN, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The first sentences that fit; a single sentence that is too long ends with an ellipsis. */
export function cutSentences(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // A sentence that ends later does not fit.
  const sentences = text.slice(0, longest + 1).match(/[^.!?]+(?:[.!?](?!\s|$)[^.!?]*)*[.!?]+(?:\s|$)/g) ?? [];
  let fitting = '';
  for (const sentence of sentences) {
    if (fitting.length + sentence.trimEnd().length > longest) break;
    fitting += sentence;
  }
  if (fitting.trim() !== '') return fitting.trim();
  return `${cutText(text, longest - 1).replace(/\s+\S*$/, '')}…`;
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
