import { hasCredentials, isWebUrl, readUrl, type JsonSchema } from '@toolwright/json';
import { type Duration, optionRules } from '@toolwright/core/options';
import { type Arguments, type ArgumentShape, argumentShapes } from './argument-shape.js';
import { usageError } from '@toolwright/operate/terminal';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Program } from './named-server.js';
import { defaultLimits, type RemoteLimits } from './limits.js';
import { withoutPassword } from './server-address.js';

/** Where a server is: at a URL, or started for one command. */
export interface RemoteTarget {
  url: URL;
  /** A command that starts an HTTP app. */
  app?: string;
  /** A command that starts a server on standard input and output, or what a file of settings says of it. */
  stdio?: string | Program;
}

/** The options of a command that uses a running server, as the shell passes them. */
export interface RemoteFlags extends RemoteTarget, RemoteLimits {
  header: Record<string, string>;
  json?: boolean;
  /** A test user of the local issuer of `dev`. */
  as?: string;
  /** All arguments in one text, given before the name of the tool. */
  input?: string;
  /** The name of a server in a file of settings, in place of where it is. */
  server?: string;
  /** That file; otherwise those of the project and of the person. */
  config?: string;
}

/** @param silence how long a server may say nothing while an answer is awaited */
export function addRemoteOptions(command: Command, silence: string): Command {
  return command
    .addOption(urlOption())
    .addOption(
      new Option('-a, --app <command>', 'start this HTTP app, and stop it after the command').conflicts(
        'url',
      ),
    )
    .addOption(
      new Option(
        '-s, --stdio <command>',
        'start this server on standard input and output, and stop it after the command',
      ).conflicts(['url', 'app']),
    )
    .addOption(serverOption().conflicts(['url', 'app', 'stdio']))
    .addOption(configOption())
    .addOption(headerOption('an HTTP header to send, such as Authorization; may be repeated'))
    .addOption(
      new Option('--as <user>', 'sign in as a test user of the local issuer of "toolwright dev"').conflicts([
        'app',
        'stdio',
      ]),
    )
    .option('--json', 'print the answer as JSON')
    .addOption(
      new Option(
        '--timeout <time>',
        'how long the server may say nothing: 30s, 5m, or milliseconds; 0: for ever',
      )
        .default(parseTime(silence), silence)
        .argParser(parseTime),
    )
    .option('--max-bytes <count>', 'how much the server may send', parseCount, defaultLimits.maxBytes)
    .option('--max-pages <count>', 'how many pages a list may have', parseCount, defaultLimits.maxPages);
}

const LOCAL = 'http://127.0.0.1:3000/mcp';

/** The variable is a default, for a profile of a shell or for CI: an option that names a server comes before it. */
const defaultUrl = () => process.env['TOOLWRIGHT_URL'] || LOCAL;

const isUrlGiven = (url: URL) => url.href !== readUrl(defaultUrl())?.href;

export function urlOption(): Option {
  const option = new Option('-u, --url <url>', 'the endpoint of the server').argParser(parseUrl);
  const url = defaultUrl();
  const address = isWebUrl(url) ? new URL(url) : undefined;
  // Commander has a wrong variable read when it is needed. The help must show no password.
  if (!address || hasCredentials(address)) return option.env('TOOLWRIGHT_URL');
  return option.default(address, url === LOCAL ? `TOOLWRIGHT_URL, or ${LOCAL}` : `${url}, of TOOLWRIGHT_URL`);
}

export const headerOption = (about: string) =>
  new Option('-H, --header <name: value>', about).argParser(addHeader).default({}, 'none');

/** The option beside `--name value` that takes all arguments. */
export const inputOption = () =>
  new Option('--input <json>', 'all arguments in one JSON object; @file reads a file, - standard input');

export const serverOption = () =>
  new Option('--server <name>', 'a server that .mcp.json or another file of settings names');

export const configOption = () => new Option('--config <file>', 'the file of settings that names it');

/** An address that begins with its host: it has a port, or is the usual one of this machine, or has dots. */
const HOST = /^(?:[\w-]+:\d+|localhost|[\w-]+\.[\w.:-]+)(?:\/|$)/;

export const parseUrl = (text: string): URL => withoutPassword(parseWebUrl(text));

/** An address that is not asked may have a password. */
export function parseWebUrl(text: string): URL {
  if (isWebUrl(text)) return new URL(text);
  const hint = HOST.test(text) && isWebUrl(`http://${text}`) ? ` Write http://${text}.` : '';
  throw new InvalidArgumentError(`It must be an http or https URL.${hint}`);
}

export function addHeader(text: string, headers: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Write it as "Name: value".');
  // It joins the values of a header that is given twice, as HTTP has it.
  const all = new Headers(headers);
  try {
    all.append(name, value!);
  } catch {
    throw new InvalidArgumentError('A header has one line of Latin-1 characters.');
  }
  return Object.fromEntries(all);
}

const upTo24Days = optionRules.durationThat('at most 24 days', (ms) => ms <= 24 * 86_400_000);

function parseTime(text: string): number {
  const time = /^\d+$/.test(text) ? Number(text) : text;
  if (upTo24Days.accepts(time)) return optionRules.parseDuration(time as Duration);
  throw new InvalidArgumentError('Write it as 500ms, 30s, 5m or 1h, at most 24 days.');
}

function parseCount(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number > 0 && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError('It must be a positive whole number.');
}

interface LateOption {
  /** It says which server it is, or how to talk to it. */
  place?: true;
  take(flags: RemoteFlags, value: string): Partial<RemoteFlags>;
}

/** No argument of a tool is written with one dash. */
const shortNames = new Map([
  ['-u', 'url'],
  ['-a', 'app'],
  ['-s', 'stdio'],
  ['-H', 'header'],
  ['-o', 'out'],
]);

/** The options that may also stand after the name of a tool. */
const late = new Map<string, LateOption>([
  ['url', { place: true, take: (_flags, value) => ({ url: parseUrl(value) }) }],
  ['app', { place: true, take: (_flags, value) => ({ app: value }) }],
  ['stdio', { place: true, take: (_flags, value) => ({ stdio: value }) }],
  ['server', { place: true, take: (_flags, value) => ({ server: value }) }],
  ['config', { place: true, take: (_flags, value) => ({ config: value }) }],
  ['header', { place: true, take: (flags, value) => ({ header: addHeader(value, flags.header) }) }],
  ['as', { place: true, take: (_flags, value) => ({ as: value }) }],
  ['json', { take: () => ({ json: true }) }],
  ['timeout', { place: true, take: (_flags, value) => ({ timeout: parseTime(value) }) }],
  ['max-bytes', { place: true, take: (_flags, value) => ({ maxBytes: parseCount(value) }) }],
  ['max-pages', { place: true, take: (_flags, value) => ({ maxPages: parseCount(value) }) }],
]);

const namesServer = ['app', 'stdio', 'server'] as const;

/** @throws {CommandError} if two options each name a server */
function refuseTwoServers(flags: RemoteFlags): void {
  const given: string[] = namesServer.filter((name) => flags[name] !== undefined);
  const [first, second] = isUrlGiven(flags.url) ? [...given, 'url'] : given;
  if (second === undefined) return;
  throw usageError(
    `--${first} and --${second} each name a server. If one is an argument of the tool, write the other before its name.`,
  );
}

interface SplitWords<Flags> {
  /** All options, also the ones between the other words. */
  readonly flags: Flags;
  /** What is left for the tool. */
  readonly words: string[];
  /** Whether an option among the words says which server it is, or how to talk to it. */
  readonly isElsewhere: boolean;
}

/**
 * Takes the options of the command from the words after the name of a tool. A name that the tool has as an argument is
 * the tool's.
 *
 * @param own options with a value that this command has besides
 */
export function takeOptions<Flags extends RemoteFlags>(
  given: readonly string[],
  flags: Flags,
  schema: JsonSchema,
  own: readonly (keyof Flags & string)[] = [],
): SplitWords<Flags> {
  const { named } = argumentShapes(schema);
  const words: string[] = [];
  const rest = [...given];
  const found: string[] = [];
  while (rest.length > 0) {
    const word = rest.shift()!;
    const { written, name, attached } = readOption(word);
    const isOfTool = written !== undefined && named.has(name);
    const option = late.get(name);
    if (isOfTool || (!option && !(own as readonly string[]).includes(name))) {
      words.push(word);
      const [next] = rest;
      if (
        name !== '' &&
        attached === undefined &&
        next !== undefined &&
        !isOption(next, named.get(name), named)
      )
        words.push(rest.shift()!);
      continue;
    }
    const value = name === 'json' ? '' : (attached ?? rest.shift());
    if (value === undefined) throw usageError(`--${name} needs a value.`);
    if (found.includes(name) && name !== 'json' && name !== 'header')
      throw usageError(`--${name} takes one value, and was given twice.`);
    flags = taken(name, () => ({ ...flags, ...(option ? option.take(flags, value) : { [name]: value }) }));
    found.push(name);
  }
  refuseTwoServers(flags);
  return { flags, words, isElsewhere: found.some((name) => late.get(name)?.place === true) };
}

/** Whether a word may be an option that says which server it is, or how to talk to it, unless the tool has an argument of its name. */
export function mayBeElsewhere(word: string): boolean {
  return late.get(readOption(word).name)?.place === true;
}

/** The name of an option, and the value behind its `=`. `written` is missing for a short one, which no tool has. */
function readOption(word: string) {
  const [, written, attached] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
  return { written, name: written ?? shortNames.get(word) ?? '', attached };
}

/** True if the word after an argument is another option. A switch has no value, and the value of another argument may look like an option. */
function isOption(next: string, shape: ArgumentShape | undefined, named: Arguments['named']): boolean {
  const { written, name } = readOption(next);
  if (written !== undefined && (named.has(name) || late.has(name))) return true;
  return next.startsWith('-') && (shape === undefined || shape.types.includes('boolean'));
}

/** Reads an option that commander did not read. It alone would know how to show the error of a reader. */
export function taken<T>(name: string, take: () => T): T {
  try {
    return take();
  } catch (error) {
    throw error instanceof InvalidArgumentError ? usageError(`--${name} is wrong. ${error.message}`) : error;
  }
}
