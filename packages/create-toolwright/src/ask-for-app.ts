import { resolve } from 'node:path';
import type { Option } from '@clack/prompts';
import { AppOptionsError, parseAppOptions, type AppOptions } from './app-options.js';
import { findFolderProblem, findNameProblem, nameFor } from './create-app.js';

/**
 * The words of a command line: a folder, and the values of flags as typed, by the names of the choices. Undefined if a word is
 * missing.
 */
export interface AppWish {
  folder: string | undefined;
  /** The name of the package, if it is not the folder's. */
  name?: string | undefined;
  words: Record<string, unknown>;
}

/** Says why no app can be created in a folder, under a name or under its own. */
function findProblem({ folder, name }: Omit<AppWish, 'words'>, cwd: string): string | undefined {
  if (folder === undefined) return name === undefined ? undefined : findNameProblem(name);
  const directory = resolve(cwd, folder);
  return findNameProblem(name ?? nameFor(directory)) ?? findFolderProblem(directory);
}

interface Choice<Word extends string> {
  message: string;
  options: Option<Word>[];
}

/**
 * The first of each is the default if nobody is asked. Nobody is asked about modules, the search and the view: ES modules suit
 * everybody who has no reason to write the flag, a new app has two tools, and a view is added to any tool later.
 */
const choices: {
  [Name in Exclude<keyof AppOptions, 'module' | 'tools' | 'view'>]: Choice<AppOptions[Name]>;
} = {
  transport: {
    message: 'How do clients reach it?',
    options: [
      { value: 'http', label: 'http', hint: 'a service with a URL' },
      { value: 'stdio', label: 'stdio', hint: 'a program that a desktop client starts' },
      { value: 'both', label: 'both' },
    ],
  },
  signIn: {
    message: 'Who may call it?',
    options: [
      { value: 'none', label: 'none', hint: 'whoever reaches it' },
      { value: 'jwt', label: 'jwt', hint: 'OAuth 2.1: people sign in, and callers need an access token' },
      { value: 'keys', label: 'keys', hint: 'API keys, for programs and scripts' },
      { value: 'grants', label: 'grants', hint: 'jwt, and a tool calls another API for its user' },
    ],
  },
  db: {
    message: 'Where does it keep its data?',
    options: [
      { value: 'none', label: 'none', hint: 'in memory' },
      { value: 'pglite', label: 'pglite', hint: 'an embedded Postgres' },
    ],
  },
  test: {
    message: 'What runs its tests?',
    options: [
      { value: 'node', label: 'node', hint: 'node --test: no package to install' },
      { value: 'vitest', label: 'vitest' },
      { value: 'jest', label: 'jest' },
    ],
  },
};

/**
 * Asks the person at the terminal for the missing words.
 *
 * @returns undefined if the person cancelled
 * @throws {AppOptionsError} if the given words are wrong; then nothing is asked
 */
export async function askForApp(
  wish: AppWish,
  cwd: string,
): Promise<{ folder: string; words: Record<string, unknown> } | undefined> {
  parseAppOptions(wish.words);
  const problem = findProblem(wish, cwd);
  if (problem !== undefined) throw new AppOptionsError(problem);
  // The library is an ES module. It is only loaded if somebody is asked.
  const { isCancel, select, text } = await import('@clack/prompts');
  // Standard output is for the results of the command.
  const output = process.stderr;
  // Ctrl D ends the input without an answer. Node.js would then end the program as if all was done.
  const left = new AbortController();
  process.once('beforeExit', () => left.abort());
  const terminal = { output, signal: left.signal };
  const folder =
    wish.folder ??
    (await text({
      ...terminal,
      message: 'Which folder?',
      placeholder: defaultFolder,
      defaultValue: defaultFolder,
      validate: (typed) => findProblem({ folder: typed || defaultFolder, name: wish.name }, cwd),
    }));
  if (isCancel(folder)) return undefined;
  const words = { ...wish.words };
  for (const choice of ['transport', 'signIn', 'db', 'test'] as const) {
    if (words[choice] !== undefined || (choice === 'signIn' && words['transport'] === 'stdio')) continue;
    const { message, options } = choices[choice];
    const word = await select<string>({ ...terminal, message, options });
    if (isCancel(word)) return undefined;
    words[choice] = word;
  }
  return { folder, words };
}

/** The default name of an app. */
export const defaultFolder = 'my-server';

/** Whether a person can be asked. CI builds may have a terminal, but nobody answers there. */
export function canAsk({ stdin, stderr, env }: Pick<NodeJS.Process, 'stdin' | 'stderr' | 'env'>): boolean {
  return stdin.isTTY && stderr.isTTY && !env['CI'] && env['TERM'] !== 'dumb';
}
