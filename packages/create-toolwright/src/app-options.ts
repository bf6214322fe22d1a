export const transports = ['http', 'stdio', 'both'] as const;
export const auths = ['none', 'jwt'] as const;
export const databases = ['none', 'pglite'] as const;

/** What there is to choose when an app is made. */
export interface AppOptions {
  /** How clients reach it. */
  transport: (typeof transports)[number];
  /** `jwt`: an OAuth 2.1 resource server; only over HTTP. */
  auth: (typeof auths)[number];
  /** `pglite`: an embedded Postgres; `none`: notes are kept in memory. */
  db: (typeof databases)[number];
}

/** What was asked for cannot be made; the message says why, for people. */
export class AppOptionsError extends Error {
  override readonly name = 'AppOptionsError';
}

/**
 * Checks words from a command line, with defaults for those that are absent.
 *
 * @throws {AppOptionsError} a word is none of the allowed ones, or two do not go together
 */
export function parseAppOptions(words: Record<string, unknown>): AppOptions {
  const options: AppOptions = {
    transport: oneOf(transports, 'transport', words),
    auth: oneOf(auths, 'auth', words),
    db: oneOf(databases, 'db', words),
  };
  // A local process trusts who started it; the specification keeps OAuth to HTTP.
  if (options.transport === 'stdio' && options.auth === 'jwt')
    throw new AppOptionsError('stdio carries no tokens: --auth jwt needs --transport http or both.');
  return options;
}

function oneOf<Word extends string>(
  allowed: readonly [Word, ...Word[]],
  flag: string,
  words: Record<string, unknown>,
): Word {
  const word = words[flag] ?? allowed[0];
  const found = allowed.find((candidate) => candidate === word);
  if (!found) throw new AppOptionsError(`--${flag} is one of ${allowed.join(', ')}, not ${String(word)}.`);
  return found;
}
