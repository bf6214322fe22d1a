import { CommandError, exitCodes } from '../command-error.js';
import type { Json } from '../lint/directories/server-json/values.js';
import { isSecretText, looksSecret } from '../secrets/looks-secret.js';

/**
 * A variable of the environment as server.json describes it: `NAME` for one that people must give, and that is
 * secret; `NAME=value` for one with a default.
 *
 * @throws {CommandError} if the word has another form, or the default looks like a secret
 */
export function environmentVariable(word: string): Json {
  const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(word) ?? [];
  if (name === undefined)
    throw wrong(`Write --env as NAME=value, or as NAME for a secret; not ${word.split('=')[0]}.`);
  if (value === undefined) return { name, isRequired: true, isSecret: true };
  if (looksSecret(name, value)) throw secret(`--env ${name}`, `--env ${name}`);
  return { name, default: value };
}

/**
 * An argument of the program: `--stdio` is a flag, everything else a value.
 *
 * @throws {CommandError} if it looks like a secret
 */
export function packageArgument(word: string): Json {
  const [, flag, value] = /^(--?[^=\s]+)(?:=(.*))?$/s.exec(word) ?? [];
  const isSecret =
    flag === undefined ? isSecretText(word) : looksSecret(flag.replace(/^-+/, ''), value ?? '');
  if (isSecret) throw secret('An --argument', '--env NAME');
  if (flag === undefined) return { type: 'positional', value: word };
  return { type: 'named', name: flag, ...(value !== undefined && { value }) };
}

const wrong = (message: string) => new CommandError(message, exitCodes.usage);

/** The message does not repeat the value, because terminals are recorded. */
const secret = (what: string, instead: string) =>
  wrong(
    `${what} looks like a secret, and everybody can read server.json. Pass only the name: ${instead}. Hosts then ask for the value.`,
  );
