import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nameForHosts, type HostServer, type HostValue } from '@toolwright/hosts';
import { type CommandError, readJsonFile, usageError } from '@toolwright/operate/terminal';
import { splitCommand } from './stdio-channel.js';
import { isSecretText, looksSecret } from '@toolwright/json';

/** What the options of `install` say of a server. */
export interface ServerWords {
  readonly url: URL;
  readonly stdio?: string;
  readonly name?: string;
  /** `NAME=value`, or `NAME` for a secret. */
  readonly env: readonly string[];
  /** `Name: value`. */
  readonly header: readonly string[];
}

/**
 * The server that the options describe.
 *
 * @throws {CommandError} if a value looks like a secret, or options do not fit together
 */
export function serverToInstall(
  { url, stdio, name, env, header }: ServerWords,
  cwd: string,
  platform: NodeJS.Platform = process.platform,
): HostServer {
  if (stdio === undefined) {
    if (env.length > 0) throw usageError('--env is for a program: name it with --stdio.');
    if (isSecretText(url.href) || url.username !== '') throw secret('The URL');
    const headers = Object.fromEntries(header.map(parseHeader));
    return {
      name: name ?? projectName(cwd) ?? nameForHosts(url.hostname),
      url: url.href,
      ...(header.length > 0 && { headers }),
    };
  }
  if (header.length > 0) throw usageError('--header is for a server over HTTP: name it with --url.');
  const { command, args } = splitCommand(stdio);
  const found = args.findIndex((word, index) => isSecretArgument(word, args[index - 1]));
  if (found >= 0) throw secret(`The argument ${found + 1} of the program`);
  return {
    name: name ?? projectName(cwd) ?? command,
    ...startedOn(platform, { command, args: args.map((word) => wholePath(word, cwd)) }),
    ...(env.length > 0 && { env: Object.fromEntries(env.map(parseVariable)) }),
  };
}

/** The programs of package managers. On Windows they are batch files, and not every host can start those. */
const BATCH_FILES = /^(?:npx|npm|pnpm|pnpx|yarn)(?:\.cmd)?$/i;

/** How a host of this system starts a program. */
function startedOn(
  platform: NodeJS.Platform,
  { command, args }: { command: string; args: string[] },
): { command: string; args: string[] } {
  if (platform !== 'win32' || !BATCH_FILES.test(command)) return { command, args };
  return { command: 'cmd', args: ['/c', command, ...args] };
}

/** True for `--token=…`, for what follows `--token`, and for everything with the form of a secret. */
function isSecretArgument(word: string, previous = ''): boolean {
  const [, option, value] = /^--?([^=]+)=(.*)$/s.exec(word) ?? [];
  if (option !== undefined) return looksSecret(option, value!);
  const isValue = previous.startsWith('-') && !word.startsWith('-') && !previous.includes('=');
  return isValue ? looksSecret(previous.replace(/^-+/, ''), word) : isSecretText(word);
}

/** The name of the project in a folder; `undefined` if there is none. */
export function projectName(cwd: string): string | undefined {
  const name = readJsonFile<{ name?: unknown }>(join(cwd, 'package.json'))?.value.name;
  return typeof name === 'string' ? name : undefined;
}

/** A host starts programs in a folder of its own. */
function wholePath(word: string, cwd: string): string {
  const path = resolve(cwd, word);
  return /[./\\]/.test(word) && statSync(path, { throwIfNoEntry: false })?.isFile() ? path : word;
}

/** `NAME=value`, or `NAME` for a secret. */
export function splitVariable(word: string): [name: string, value: string | undefined] {
  const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(word) ?? [];
  if (name !== undefined) return [name, value];
  throw usageError(`Write --env as NAME=value, or as NAME for a secret; not ${word.split('=')[0]}.`);
}

function parseVariable(word: string): [string, HostValue] {
  const [name, value] = splitVariable(word);
  if (value === undefined) return [name, { variable: name }];
  return [name, parseValue(`--env ${name}`, name, value)];
}

function parseHeader(text: string): [string, HostValue] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw usageError('Write --header as "Name: value".');
  return [name, parseValue(`--header ${name}`, name, value!)];
}

/** `Bearer ${TOKEN}` refers to a variable; everything else is a text. */
function parseValue(what: string, name: string, value: string): HostValue {
  const [, before, variable] = /^([^$]*)\$\{([A-Za-z_]\w*)\}$/.exec(value) ?? [];
  const isScheme = /^(?:[A-Za-z]+ )?$/.test(before ?? '');
  if (variable !== undefined && before !== undefined && (isScheme || !isSecretText(before)))
    return { ...(before !== '' && { before }), variable };
  if (looksSecret(name, value)) throw secret(what);
  return value;
}

/** The message does not repeat the value, because terminals are recorded. */
function secret(what: string): CommandError {
  return usageError(
    `${what} looks like a secret, and the files of hosts are no place for secrets. Refer to a variable: --env NAME, or --header 'Authorization: Bearer \${NAME}'.`,
  );
}
