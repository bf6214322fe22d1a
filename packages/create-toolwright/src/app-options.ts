export const transports = ['http', 'stdio', 'both'] as const;
export const signIns = ['none', 'jwt', 'keys', 'grants'] as const;
export const databases = ['none', 'pglite'] as const;
export const runners = ['node', 'vitest', 'jest'] as const;
export const moduleKinds = ['esm', 'cjs'] as const;
export const toolLists = ['list', 'search', 'code'] as const;
export const views = ['none', 'preact', 'react'] as const;

/** The choices for a new app. */
export interface AppOptions {
  /** How clients connect to it. */
  transport: (typeof transports)[number];
  /**
   * `jwt`: an OAuth 2.1 resource server; `keys`: API keys; `grants`: `jwt`, and a tool that calls another API for its user. All
   * over HTTP only.
   */
  signIn: (typeof signIns)[number];
  /** `pglite`: an embedded Postgres; `none`: notes are kept in memory. */
  db: (typeof databases)[number];
  /** What runs its tests. `node`: the test runner of Node.js, which needs no package. */
  test: (typeof runners)[number];
  /** What TypeScript compiles it to: ES modules or CommonJS. */
  module: (typeof moduleKinds)[number];
  /** `list`: clients get the list of all tools; `search`: they search once the list is long; `code`: models write programs. */
  tools: (typeof toolLists)[number];
  /** What the component is written with that shows a result in chats. `none`: results are text and data. */
  view: (typeof views)[number];
}

/** What each choice may be; the first is the default. */
const allowed = {
  transport: transports,
  signIn: signIns,
  db: databases,
  test: runners,
  module: moduleKinds,
  tools: toolLists,
  view: views,
} satisfies { [Choice in keyof AppOptions]: readonly AppOptions[Choice][] };

/** The values of a flag; undefined for a flag that is not a choice. */
export const valuesOf = (flag: string): readonly string[] | undefined =>
  Object.entries(allowed).find(([choice]) => flagOf[choice as keyof AppOptions] === flag)?.[1];

/**
 * The flag of each choice. npm reads the flags before it starts us, unless there is a `--` before them, and completes what is
 * the beginning of an option of its own: `--auth` becomes `--auth-type`. It neither has nor completes one of these.
 */
export const flagOf: Readonly<Record<keyof AppOptions, string>> = {
  transport: 'transport',
  signIn: 'sign-in',
  db: 'db',
  test: 'test',
  module: 'module',
  tools: 'tools',
  view: 'with-view',
};

/** Flags that npm takes for its own, and the flags of today that mean the same. */
const formerFlags: Readonly<Record<string, string>> = {
  auth: 'sign-in',
  view: 'with-view',
  'no-install': 'files-only',
};

/** @throws {AppOptionsError} if a word is a flag of before, because npm might have taken it away without a word */
export function refuseFormerFlags(words: readonly string[]): void {
  for (const word of words) {
    const [, flag, value = ''] = /^--([a-z-]+)(=.*)?$/.exec(word) ?? [];
    if (flag !== undefined && Object.hasOwn(formerFlags, flag))
      throw new AppOptionsError(
        `--${flag} is called --${formerFlags[flag]} now. Write --${formerFlags[flag]}${value}.`,
      );
  }
}

/** The requested app cannot be created. The message says why, for people. */
export class AppOptionsError extends Error {
  override readonly name = 'AppOptionsError';
}

/**
 * Checks the words of a command line, by the names of the choices, and fills in the defaults.
 *
 * @throws {AppOptionsError} if a word is not allowed, or two words contradict each other
 */
export function parseAppOptions(words: Record<string, unknown>): AppOptions {
  const choices = Object.keys(allowed) as (keyof AppOptions)[];
  const options = Object.fromEntries(
    choices.map((choice) => [choice, oneOf(choice, words[choice])]),
  ) as unknown as AppOptions;
  // A local process trusts the program that started it. The specification uses OAuth over HTTP only.
  if (options.transport === 'stdio' && options.signIn !== 'none')
    throw new AppOptionsError(
      `stdio carries no tokens and no keys: --sign-in ${options.signIn} needs --transport http or both.`,
    );
  return options;
}

function oneOf(choice: keyof AppOptions, word: unknown): string {
  const values: readonly string[] = allowed[choice];
  const found = word === undefined ? values[0] : values.find((each) => each === word);
  if (found === undefined)
    throw new AppOptionsError(`--${flagOf[choice]} is one of ${values.join(', ')}, not ${String(word)}.`);
  return found;
}
