const PLAIN = /^[\w@%+=:,./-]+$/;

/** A command line for a POSIX shell. Words with characters that a shell reads are put in single quotes. */
export function shellLine(words: readonly string[]): string {
  return words
    .map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
}
