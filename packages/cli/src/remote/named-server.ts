import { existsSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { isObject, isWebUrl, nearestNames } from '@toolwright/json';
import { CommandError, type Terminal, usageError } from '@toolwright/operate/terminal';
import { jsonEntry } from '../install/edit-json.js';
import { tomlEntry } from '../install/edit-toml.js';
import { editableHosts, hostPath, thisMachine } from '../install/find-hosts.js';
import { withoutPassword } from './server-address.js';

/** A program to start, as a file of settings describes it. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** What a file of settings says of a server. */
export type NamedServer = { readonly url: URL; readonly headers: Record<string, string> } | Program;

type Asker = Pick<Terminal, 'cwd' | 'env' | 'ask' | 'err'>;

/** The files of a project in which hosts look for servers: Claude Code and Copilot, VS Code, Cursor, Gemini CLI, Codex. */
const OF_PROJECTS = [
  '.mcp.json',
  '.vscode/mcp.json',
  '.cursor/mcp.json',
  '.gemini/settings.json',
  '.codex/config.toml',
];

/** Where the servers are in a file of any host. A plugin of Claude Code has them at the top. */
const PLACES = [['mcpServers'], ['servers'], ['mcp', 'servers'], ['mcp_servers'], ['context_servers'], []];

/** A file, the servers in it, and the folder that its paths begin at. */
interface FoundServers {
  readonly file: string;
  readonly folder: string;
  readonly servers: Readonly<Record<string, unknown>>;
  /** What VS Code would ask for. */
  readonly inputs: readonly unknown[];
}

/**
 * Finds a server by its name, in the files of the project and then in those of the person.
 *
 * @param config the only file to look into
 * @throws {CommandError} if no file names it, or what it needs is not there
 */
export async function findServer(
  name: string,
  config: string | undefined,
  terminal: Asker,
): Promise<NamedServer> {
  const seen: FoundServers[] = [];
  for (const found of serversIn(config, terminal)) {
    const entry = Object.hasOwn(found.servers, name) ? found.servers[name] : undefined;
    if (isObject(entry)) return readEntry(name, entry, { found, terminal });
    seen.push(found);
  }
  const named = seen.flatMap(({ servers }) => Object.entries(servers).filter(([, each]) => isObject(each)));
  const names = [...new Set(named.map(([key]) => key))];
  const near = nearestNames(name, names)[0];
  const hint = near ? `Did you mean ${near}?` : names.length > 0 ? `There are: ${names.join(', ')}.` : '';
  const files = seen.map(({ file }) => file).join(', ');
  const said = files
    ? `No server is called ${name} in ${files}. ${hint}`.trimEnd()
    : `No file of settings here names a server, so none is called ${name}. Write .mcp.json, name another file with --config, or give an address with --url.`;
  throw usageError(said);
}

/**
 * The address of a server that a person wrote as it is, or by its name.
 *
 * @throws {CommandError} if no file names it, or it is a program
 */
export async function endpointOf(word: string, config: string | undefined, terminal: Asker): Promise<URL> {
  if (isWebUrl(word)) return withoutPassword(new URL(word));
  const found = await findServer(word, config, terminal);
  if ('url' in found) return found.url;
  throw usageError(`${word} is a program on this machine, and nobody signs in there.`);
}

function* serversIn(config: string | undefined, { cwd, env }: Asker): Generator<FoundServers> {
  if (config !== undefined) {
    const file = resolve(cwd, config);
    if (!existsSync(file)) throw usageError(`There is no ${config}.`);
    return yield* readServers(file, folderOf(file));
  }
  for (const folder of foldersAbove(cwd))
    for (const file of OF_PROJECTS) yield* readServers(join(folder, file), folder);
  const machine = thisMachine({ env } as Terminal);
  for (const { file, id } of editableHosts) {
    const { path } = hostPath(file!, machine);
    // Claude Code keeps those of a person for one project in the same file, below the project.
    if (id === 'claude-code')
      for (const folder of foldersAbove(cwd))
        yield* readServers(path, folder, [['projects', folder, 'mcpServers']]);
    yield* readServers(path, cwd);
  }
}

/** From a folder to the root of its repository. Without one it is that folder alone: others may write to those above. */
function foldersAbove(cwd: string): string[] {
  const all = [cwd];
  while (dirname(all.at(-1)!) !== all.at(-1)) all.push(dirname(all.at(-1)!));
  const root = all.findIndex((folder) => existsSync(join(folder, '.git')));
  return all.slice(0, Math.max(root, 0) + 1);
}

/** A file in the folder of a host belongs to the folder around it. */
const folderOf = (file: string) => dirname(/^\.\w+$/.test(basename(dirname(file))) ? dirname(file) : file);

function* readServers(
  file: string,
  folder: string,
  places: readonly string[][] = PLACES,
): Generator<FoundServers> {
  if (!existsSync(file)) return;
  const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return;
  const parse = file.endsWith('.toml') ? tomlEntry : jsonEntry;
  const read = (whole: string, place: readonly string[]) => {
    try {
      return parse(whole, place);
    } catch (error) {
      throw new CommandError(`${file}: ${(error as Error).message}`);
    }
  };
  for (const place of places) {
    const servers = read(text, place);
    if (!isObject(servers) || (place.length === 0 && !Object.values(servers).some(isServer))) continue;
    const inputs = read(text, ['inputs']);
    return yield { file, folder, servers, inputs: Array.isArray(inputs) ? inputs : [] };
  }
}

const isServer = (value: unknown) => isObject(value) && ('command' in value || 'url' in value);

interface EntryPlace {
  readonly found: FoundServers;
  readonly terminal: Asker;
}

async function readEntry(
  name: string,
  entry: Record<string, unknown>,
  place: EntryPlace,
): Promise<NamedServer> {
  const { found, terminal } = place;
  const text = (value: unknown) => withReferences(String(value), name, place);
  const texts = async (value: unknown) => {
    const all: Record<string, string> = {};
    if (isObject(value)) for (const [key, each] of Object.entries(value)) all[key] = await text(each);
    return all;
  };
  const { command, args, transport, env, envFile, cwd = '.' } = entry;
  if (entry['disabled'] === true || entry['enabled'] === false)
    terminal.err(`${found.file} says that ${name} is disabled. The command uses it all the same.`);
  // The names of the hosts: Gemini CLI has `httpUrl`, Windsurf `serverUrl`, and some files put it into `transport`.
  const nested = isObject(transport) ? transport : {};
  const address = entry['url'] ?? entry['httpUrl'] ?? entry['serverUrl'] ?? nested['url'];
  if (typeof address === 'string') {
    const url = await text(address);
    if (!isWebUrl(url)) throw wrong(name, found, 'has an address that is no http or https URL');
    if ((entry['type'] ?? nested['type']) === 'sse')
      terminal.err(
        `${found.file} says that ${name} is "sse", the transport before 2025-03-26. The command uses Streamable HTTP there.`,
      );
    return {
      url: withoutPassword(new URL(url)),
      headers: await headersOf({ ...nested, ...entry }, texts, terminal.env),
    };
  }
  if (typeof command !== 'string') throw wrong(name, found, 'has neither a command nor a URL');
  const folder = resolve(found.folder, await text(cwd));
  const words = Array.isArray(args) ? (args as unknown[]) : [];
  // A path begins at the folder of the project; a name is looked up.
  const program = pathIn(folder, await text(command));
  if (/\s/.test(command) && !existsSync(program))
    throw wrong(
      name,
      found,
      `has the command "${command}", and no such program: write its first word there, and the others in "args"`,
    );
  return {
    command: program,
    args: await Promise.all(words.map(text)),
    env: {
      ...(typeof envFile === 'string' && variablesIn(resolve(folder, await text(envFile)))),
      ...(await texts(env)),
    },
    cwd: folder,
  };
}

const pathIn = (folder: string, command: string) =>
  /[/\\]/.test(command) && !isAbsolute(command) ? resolve(folder, command) : command;

/** Codex CLI names the variables that hold headers. */
async function headersOf(
  {
    headers,
    http_headers: ofCodex,
    env_http_headers: named,
    bearer_token_env_var: token,
  }: Record<string, unknown>,
  texts: (value: unknown) => Promise<Record<string, string>>,
  env: Terminal['env'],
): Promise<Record<string, string>> {
  const given = { ...(await texts(ofCodex)), ...(await texts(headers)) };
  const held = Object.entries(await texts(named)).map(
    ([header, variable]) => [header, env[variable] ?? ''] as const,
  );
  const bearer: Record<string, string> =
    typeof token === 'string' ? { authorization: `Bearer ${env[token] ?? ''}` } : {};
  const all = Object.entries<string>({ ...bearer, ...Object.fromEntries(held), ...given });
  return Object.fromEntries(all.map(([header, value]) => [header.toLowerCase(), value]));
}

function variablesIn(file: string): Record<string, string> {
  if (!existsSync(file)) throw new CommandError(`There is no ${file}, which the settings name as envFile.`);
  return parseEnv(readFileSync(file, 'utf8')) as Record<string, string>;
}

/** `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:id}`, and what VS Code, Cursor and Claude Code know by themselves. */
const REFERENCE = /\$\{(?:(env|input):)?([^}:]+)(?::-([^}]*))?\}/g;

/** As a shell writes a variable. No host replaces it everywhere, and a password may have such a part. */
const BARE = /(?<![\w$])\$([A-Za-z_]\w*)/g;

/** @throws {CommandError} if a value is missing. An empty one would reach a server as an empty password */
async function withReferences(text: string, name: string, { found, terminal }: EntryPlace): Promise<string> {
  const { folder } = found;
  for (const [written, variable = ''] of text.matchAll(BARE))
    if (variable === variable.toUpperCase() || Object.hasOwn(terminal.env, variable))
      terminal.err(
        `The server ${name} of ${found.file} gets "${written}" as it is written. For the value of the variable, write \${${variable}}.`,
      );
  const known: Readonly<Record<string, string>> = {
    workspaceFolder: folder,
    workspaceFolderBasename: basename(folder),
    CLAUDE_PROJECT_DIR: folder,
    CLAUDE_PLUGIN_ROOT: folder,
    userHome: thisMachine({ env: terminal.env } as Terminal).home,
    cwd: terminal.cwd,
    pathSeparator: sep,
    pathDelimiter: delimiter,
    '/': sep,
  };
  const values: string[] = [];
  for (const [, kind, key = '', otherwise] of text.matchAll(REFERENCE)) {
    const value =
      kind === 'input' ? await answerTo(key, name, { found, terminal }) : terminal.env[key] || undefined;
    const own = kind === undefined && Object.hasOwn(known, key) ? known[key] : undefined;
    if ((value ?? own ?? otherwise) === undefined)
      throw wrong(name, found, `needs the variable ${key}, which is not set`);
    values.push((value ?? own ?? otherwise)!);
  }
  return text.replace(REFERENCE, () => values.shift()!);
}

/** VS Code asks for such a value, and so does the command. */
async function answerTo(id: string, name: string, { found, terminal }: EntryPlace): Promise<string> {
  const input = found.inputs.find((each) => isObject(each) && each['id'] === id) as
    Record<string, unknown> | undefined;
  if (!terminal.ask) throw wrong(name, found, `asks for "${id}", and there is nobody to ask`);
  return terminal.ask(`${String(input?.['description'] ?? id)}: `);
}

const wrong = (name: string, { file }: FoundServers, what: string) =>
  new CommandError(`The server ${name} of ${file} ${what}.`);
