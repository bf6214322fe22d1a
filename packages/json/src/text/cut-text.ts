import { replaceHidden } from './hidden-characters.js';

/**
 * The longest emoji with skin tones have 15 UTF-16 units, and flags of regions 14. Nobody's words are longer. Endless
 * combining marks on one letter are cut between two of them.
 */
const LONGEST_GRAPHEME = 64;

/** Characters from here on may join the one before them. */
const FIRST_JOINING = 0x300;

/** Its rules are loaded when it is made, and few servers ever cut a text that needs them. */
let segmenter: Intl.Segmenter | undefined;

/**
 * The beginning of a text that is too long. What a person sees as one character, such as an emoji with a skin tone or a
 * flag, stays whole or is left out. So no surrogate pair is cut either.
 *
 * @param most UTF-16 units, without the mark
 * @param mark follows a text that was cut
 */
export function cutText(text: string, most: number, mark = ''): string {
  return text.length <= most ? text : text.slice(0, endBefore(text, most)) + mark;
}

/** The beginning of a text of others, as one line in which nothing hides. */
export function cutLine(text: string, most: number): string {
  const line = replaceHidden(text, () => ' ').replace(/\s+/g, ' ');
  return cutText(line.trim(), most, '…');
}

/** The last place for a cut that is not after `most`. */
function endBefore(text: string, most: number): number {
  const [before, after] = [text.charCodeAt(most - 1), text.charCodeAt(most)];
  if (before < FIRST_JOINING && after < FIRST_JOINING && after !== 0x0a) return most;
  segmenter ??= new Intl.Segmenter();
  // The rest of a long text is not looked at.
  const end = segmenter.segment(text.slice(0, most + LONGEST_GRAPHEME)).containing(most)!.index;
  if (most - end < LONGEST_GRAPHEME) return end;
  const isInsidePair = (before & 0xfc00) === 0xd800 && (after & 0xfc00) === 0xdc00;
  return isInsidePair ? most - 1 : most;
}
