import { cutSentences, plainText } from '@toolwright/json';

/** What a model needs of a description: plain text, a sentence or two. */

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
