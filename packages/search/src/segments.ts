/** The scripts below begin here. Nearly all texts have no character from here on, which one look tells. */
const MAYBE_UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\uffff]/;

/** Scripts whose words are not spaced: Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const UNSPACED = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Mymr}]';

/** With the marks of its characters: without them, a word of Thai is another word. */
const RUN = new RegExp(`((?:${UNSPACED}\\p{M}*)+)`, 'u');
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');

/** The endings of Japanese grammar after a character of Chinese: verbs and their nouns differ in them. */
const OKURIGANA = /(\p{sc=Han})\p{sc=Hira}+$/u;

/** Its dictionaries are loaded when it is made, and few servers need them. */
let segmenter: Intl.Segmenter | undefined;

/**
 * The words of a text, also of scripts that write no spaces.
 *
 * @param spaced splits the parts of other scripts
 */
export function segmentWords(text: string, spaced: (part: string) => string[]): string[] {
  if (!MAYBE_UNSPACED.test(text)) return spaced(text);
  return text
    .normalize('NFKC')
    .split(RUN)
    .flatMap((part, at) => (at % 2 === 0 ? spaced(part) : wordsOfRun(part)));
}

/** Whether a word is one of these scripts. Few characters say much there. */
export const isUnspaced = (word: string): boolean => MAYBE_UNSPACED.test(word) && STARTS_UNSPACED.test(word);

function wordsOfRun(run: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(run))
    if (isWordLike) words.push(segment.replace(OKURIGANA, '$1'));
  return words;
}
