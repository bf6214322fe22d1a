import { readUrl } from '@toolwright/json';
import type { JsonSchema } from '@toolwright/json';
import { type ArgumentShape, argumentShapes } from './argument-shape.js';
import { CommandError, exitCodes } from '@toolwright/operate/terminal';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Program } from './named-server.js';
import { defaultLimits, type RemoteLimits } from './limits.js';

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
  /** The name of a server in a file of settings, in place of where it is. */
  server?: string;
  /** That file; otherwise those of the project and of the person. */
  config?: string;
}

/** @param silence how long a server may say nothing while an answer is awaited */
export function addRemoteOptions(command: Command, silence: string): Command {
  return command
    .addOption(
      new Option('-u, --url <url>', 'the endpoint of the server')
        .env('TOOLWRIGHT_URL')
        .default(new URL('http://127.0.0.1:3000/mcp'), 'http://127.0.0.1:3000/mcp')
        .argParser(parseUrl),
    )
    .option('-a, --app <command>', 'start this HTTP app, and stop it after the command')
    .addOption(
      new Option(
        '-s, --stdio <command>',
        'start this server on standard input and output, and stop it after the command',
      ).conflicts(['url', 'app']),
    )
    .addOption(serverOption().conflicts(['app', 'stdio']))
    .addOption(configOption())
    .option(
      '-H, --header <name: value>',
      'an HTTP header to send, such as Authorization; may be repeated',
      addHeader,
      {},
    )
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

export const serverOption = () =>
  new Option('--server <name>', 'a server that .mcp.json or another file of settings names');

export const configOption = () => new Option('--config <file>', 'the file of settings that names it');

export function parseUrl(text: string): URL {
  const url = readUrl(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('It must be an http or https URL.');
}

export function addHeader(text: string, headers: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Write it as "Name: value".');
  return { ...headers, [name.toLowerCase()]: value! };
}

const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function parseTime(text: string): number {
  const [, count, unit = 'ms'] = /^(\d+)(ms|s|m|h)?$/.exec(text) ?? [];
  const ms = Number(count) * units[unit]!;
  if (ms <= 24 * 24 * units['h']!) return ms;
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
  take(flags: RemoteFlags, value: string): RemoteFlags;
}

/** No argument of a tool is written with one dash. */
const shortNames = new Map([
  ['-u', 'url'],
  ['-a', 'app'],
  ['-s', 'stdio'],
  ['-H', 'header'],
]);

/** The options that may also stand after the name of a tool. */
const late = new Map<string, LateOption>([
  ['url', { place: true, take: (flags, value) => ({ ...withoutPlace(flags), url: parseUrl(value) }) }],
  ['app', { place: true, take: (flags, value) => ({ ...withoutPlace(flags), app: value }) }],
  ['stdio', { place: true, take: (flags, value) => ({ ...withoutPlace(flags), stdio: value }) }],
  ['server', { place: true, take: (flags, value) => ({ ...withoutPlace(flags), server: value }) }],
  ['config', { place: true, take: (flags, value) => ({ ...flags, config: value }) }],
  ['header', { place: true, take: (flags, value) => ({ ...flags, header: addHeader(value, flags.header) }) }],
  ['as', { place: true, take: (flags, value) => ({ ...flags, as: value }) }],
  ['json', { take: (flags) => ({ ...flags, json: true }) }],
  ['timeout', { place: true, take: (flags, value) => ({ ...flags, timeout: parseTime(value) }) }],
  ['max-bytes', { place: true, take: (flags, value) => ({ ...flags, maxBytes: parseCount(value) }) }],
  ['max-pages', { place: true, take: (flags, value) => ({ ...flags, maxPages: parseCount(value) }) }],
]);

const withoutPlace = ({ app: _app, stdio: _stdio, server: _server, ...flags }: RemoteFlags): RemoteFlags =>
  flags;

export interface SplitWords {
  /** All options, also the ones between the other words. */
  readonly flags: RemoteFlags;
  /** What is left for the tool. */
  readonly words: string[];
  /** Whether an option among the words says which server it is, or how to talk to it. */
  readonly isElsewhere: boolean;
}

/**
 * Takes the options of the command from the words after the name of a tool. A name that the tool has as an argument is
 * the tool's.
 */
export function takeOptions(given: readonly string[], flags: RemoteFlags, schema: JsonSchema): SplitWords {
  const shapes = argumentShapes(schema);
  const words: string[] = [];
  const rest = [...given];
  let isElsewhere = false;
  while (rest.length > 0) {
    const word = rest.shift()!;
    const { written, name, attached } = readOption(word);
    const option = written !== undefined && shapes.has(name) ? undefined : late.get(name);
    if (!option) {
      words.push(word);
      // The value of an argument may look like an option.
      if (name !== '' && attached === undefined && rest.length > 0 && !isSwitch(shapes.get(name), rest[0]!))
        words.push(rest.shift()!);
      continue;
    }
    const value = name === 'json' ? '' : (attached ?? rest.shift());
    if (value === undefined) throw new CommandError(`--${name} needs a value.`, exitCodes.usage);
    flags = taken(name, () => option.take(flags, value));
    isElsewhere ||= option.place === true;
  }
  return { flags, words, isElsewhere };
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

/** True if an argument has no value of its own, so that the next word is another option. */
const isSwitch = (shape: ArgumentShape | undefined, next: string) =>
  next.startsWith('-') && (shape === undefined || shape.types.includes('boolean'));

/** Reads an option that commander did not read. It alone would know how to show the error of a reader. */
export function taken<T>(name: string, take: () => T): T {
  try {
    return take();
  } catch (error) {
    throw error instanceof InvalidArgumentError
      ? new CommandError(`--${name} is wrong. ${error.message}`, exitCodes.usage)
      : error;
  }
}
