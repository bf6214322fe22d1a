import type { CompletedCommand } from './completed-command.js';

/** Text in single quotes for bash and zsh. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface ValuePatterns {
  /** Patterns for `case`: a path, a bar and the option before the cursor, with the values that may follow. */
  choices: { pattern: string; values: readonly string[] }[];
  /** The same pattern for all options with a free value. File names are the best guess for these. */
  files: string;
}

export function valuePatterns(commands: readonly CompletedCommand[]): ValuePatterns {
  const valued = commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ names, choices }) => ({
        pattern: names.map((name) => quote(`${path}|${name}`)).join('|'),
        values: choices,
      })),
  );
  return {
    choices: valued.filter(({ values }) => values.length > 0),
    files: valued
      .filter(({ values }) => values.length === 0)
      .map(({ pattern }) => pattern)
      .join('|'),
  };
}
