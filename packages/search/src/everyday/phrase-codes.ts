/** The phrases of `phrases/*.txt` in short: words are codes of one or two characters. */
export interface PackedPhrases {
  /** All words, the most frequent first, with a space between. */
  readonly words: string;
  /** Lines of verbs: the code of each meaning, `:`, phrases with a space between, `,`. */
  readonly deeds: string;
  /** The same of the rest. A line that begins with `~` means all of its words. */
  readonly things: string;
}

/** Means one to three words of a query. */
export const GAP = '*';

/** What codes are made of: nothing that separates, and nothing that a text of JavaScript would escape. */
export const CODES = '!#%&()*+-./0123456789;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}';

/** How many words have a code of one character. */
export function shortCodes(words: number): number {
  let short = CODES.length;
  while (short + (CODES.length - short) * CODES.length < words) short--;
  return short;
}

/** The words of codes. */
export function readCodes(codes: string, words: readonly string[]): string[] {
  const short = shortCodes(words.length);
  const found: string[] = [];
  for (let at = 0; at < codes.length; at++) {
    const first = CODES.indexOf(codes[at]!);
    found.push(
      words[first < short ? first : short + (first - short) * CODES.length + CODES.indexOf(codes[++at]!)]!,
    );
  }
  return found;
}
