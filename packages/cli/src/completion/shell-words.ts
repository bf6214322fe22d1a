import type { CompletedCommand } from './completed-command.js';

/** In single quotes, as bash and zsh read them. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface ValuePatterns {
  /** Alternatives for `case`: a path, a bar and the option before the cursor, with the values that may follow. */
  choices: { pattern: string; values: readonly string[] }[];
  /** The same of all options that are followed by anything: names of files are the best guess. */
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
