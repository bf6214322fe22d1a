const PLAIN = /^[\w@%+=:,./-]+$/;

/** A command line for a POSIX shell. Words with characters that a shell reads are put in single quotes. */
export function shellLine(words: readonly string[]): string {
  return words
    .map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
}

/** Headers as a host's command takes them. */
export function headerOptions(headers: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
}

/** Variables of the environment as a host's command takes them. */
export function envOptions(env: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
}
