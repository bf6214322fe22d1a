import type { HostConfig, HostInput, HostValue } from './host.js';

const PLAIN = /^[\w@%+=:,./-]+$/;

type Entry = HostConfig['entry'];

/** JSON with escapes for all other characters than ASCII, so that no encoding of a link changes it. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** An entry of a JSON file. */
export function jsonConfig(
  path: readonly string[],
  entry: Entry,
  inputs: readonly HostInput[] = [],
): HostConfig {
  const file = path.reduceRight<unknown>((value, key) => ({ [key]: value }), entry) as object;
  const text = JSON.stringify({ ...(inputs.length > 0 && { inputs }), ...file }, null, 2);
  return { format: 'json', path, entry, ...(inputs.length > 0 && { inputs }), text: `${text}\n` };
}

/** An entry of a TOML file: a table, with a table below it for each member that is an object. */
export function tomlConfig(path: readonly string[], entry: Entry): HostConfig {
  const members = Object.entries(entry);
  const tables = members.filter(([, value]) => isObject(value)) as [string, Entry][];
  const own = members.filter(([, value]) => !isObject(value));
  const sections = [
    section(path, own),
    ...tables.map(([name, table]) => section([...path, name], Object.entries(table))),
  ];
  return { format: 'toml', path, entry, text: sections.join('\n') };
}

function section(path: readonly string[], members: [string, unknown][]): string {
  const lines = members.map(([name, value]) => `${tomlKey(name)} = ${tomlValue(value)}`);
  return [`[${path.map(tomlKey).join('.')}]`, ...lines, ''].join('\n');
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : tomlValue(key);
}

/** A JSON string is a basic string of TOML, apart from U+007F. A list of strings is the same in both. */
function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  return JSON.stringify(value).replaceAll('\u007f', String.raw`\u007f`);
}

/** An entry of a YAML file. Texts and lists are written as in JSON, which YAML includes. */
export function yamlConfig(path: readonly string[], entry: Entry): HostConfig {
  const keys = path.map((key, depth) => `${'  '.repeat(depth)}${key}:`);
  const indent = '  '.repeat(path.length);
  const members = Object.entries(entry).map(([name, value]) => `${indent}${name}: ${JSON.stringify(value)}`);
  return { format: 'yaml', path, entry, text: `${[...keys, ...members].join('\n')}\n` };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Writes values for a host that expands variables in its settings. */
export function expandedBy(
  values: Readonly<Record<string, HostValue>> | undefined,
  refer: (variable: string) => string,
): Record<string, string> | undefined {
  const entries = Object.entries(values ?? {});
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      typeof value === 'string' ? value : `${value.before ?? ''}${refer(value.variable)}`,
    ]),
  );
}

/** The first variable that values refer to; `undefined` if all of them are texts. */
export function firstVariable(values: Readonly<Record<string, HostValue>> | undefined): string | undefined {
  for (const value of Object.values(values ?? {})) if (typeof value !== 'string') return value.variable;
  return undefined;
}

/** An object without the members that are undefined or empty lists. */
export function present(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** A command line for a POSIX shell. Words with characters that a shell reads are put in single quotes. */
export function shellLine(words: readonly string[]): string {
  return words
    .map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
}

/** Headers as a host's command takes them. */
export function headerOptions(headers: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
}

/** Variables of the environment as a host's command takes them. */
export function envOptions(env: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
}
