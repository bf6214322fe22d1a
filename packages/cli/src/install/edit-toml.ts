import type { HostConfig } from '@toolwright/hosts';
import { isDeepStrictEqual } from 'node:util';
import { type TomlTable as TomlValue, parse } from 'smol-toml';
import { SettingsError } from './edit-json.js';

/** The entry at a path of a TOML text. */
export function tomlEntry(text: string, path: readonly string[]): unknown {
  const entry = path.reduce<unknown>((value, key) => (value as TomlValue | undefined)?.[key], read(text));
  // The tables of the parser have no prototype, and would be unlike any other object.
  return entry === undefined ? undefined : (JSON.parse(JSON.stringify(entry)) as unknown);
}

/**
 * The text with a table added or replaced. Comments, order and everything else stay.
 *
 * @throws {SettingsError} if the file writes its tables in another way, so that this is not possible
 */
export function withTomlEntry(text: string, { path, entry, text: table }: HostConfig): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const own = table.replaceAll('\n', eol);
  const [first, ...others] = tablesAt(text, path);
  const gap = text === '' || text.endsWith(`${eol}${eol}`) ? '' : text.endsWith(eol) ? eol : eol + eol;
  const after = first
    ? without(text, others).slice(0, first.start) + own + without(text, others).slice(first.end)
    : text + gap + own;
  return checked(text, after, { path, entry });
}

/** The text without a table and the tables below it. */
export function withoutTomlEntry(text: string, path: readonly string[]): string {
  return checked(text, without(text, tablesAt(text, path)), { path, entry: undefined });
}

function tablesAt(text: string, path: readonly string[]): TomlTable[] {
  return tomlTables(text).filter(({ header }) => {
    const keys = keysOf(header);
    return path.every((key, index) => keys[index] === key);
  });
}

/** The keys of a header, as a parser reads them. An array of tables has none here: we write none. */
function keysOf(header: string): string[] {
  const keys: string[] = [];
  try {
    let value: unknown = parse(`[${header}]`);
    for (;;) {
      const [key] = Object.keys(value as object);
      if (key === undefined || Array.isArray(value)) return keys;
      keys.push(key);
      value = (value as Record<string, unknown>)[key];
    }
  } catch {
    return [];
  }
}

/** From the last to the first, so that places stay what they are. An empty line before a table goes with it. */
function without(text: string, tables: readonly TomlTable[]): string {
  return tables.reduceRight((rest, { start, end }) => {
    const before = rest.slice(0, start);
    const after = rest.slice(end);
    return (/\n\r?\n$/.test(before) ? before.replace(/\r?\n$/, '') : before) + after;
  }, text);
}

/** Nothing but the entry may have changed, whatever the file looks like. */
function checked(
  before: string,
  after: string,
  { path, entry }: Pick<HostConfig, 'path'> & { entry: unknown },
): string {
  const expected = read(before);
  let place = expected;
  for (const key of path.slice(0, -1)) place = (place[key] ??= {}) as TomlValue;
  const name = path.at(-1)!;
  if (entry === undefined) delete place[name];
  else place[name] = entry as TomlValue;
  let found: TomlValue | undefined;
  try {
    found = parse(after);
  } catch {
    // The result cannot be read: for example, the file has our table in another form already, and TOML allows each table once.
  }
  if (!found || !isDeepStrictEqual(withoutEmpty(found, path), withoutEmpty(expected, path)))
    throw new SettingsError('The entry cannot be changed without changing something else.');
  return after;
}

/** A table that only holds other tables need not be written. */
function withoutEmpty(root: TomlValue, [first]: readonly string[]): TomlValue {
  const plain = JSON.parse(JSON.stringify(root)) as TomlValue;
  const table = plain[first!];
  if (table && Object.keys(table).length === 0) delete plain[first!];
  return plain;
}

/** @throws {SettingsError} if it is not TOML */
function read(text: string): TomlValue {
  try {
    return parse(text);
  } catch (error) {
    throw new SettingsError(`The file cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** A table of a TOML text: its header, and where it begins and ends. */
interface TomlTable {
  /** The text between the brackets. */
  readonly header: string;
  readonly start: number;
  /** The end of its last line that is neither empty nor a comment. What follows belongs to the next table. */
  readonly end: number;
}

const STRINGS = /"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?/y;
const HEADER = /[ \t]*\[(\[?[^\n]*?\]?)\][ \t]*(?:#[^\n]*)?(?=\r?\n|$)/y;

/** The tables of a TOML text that have headers, in their order. */
function tomlTables(text: string): TomlTable[] {
  const tables: { header: string; start: number; end: number }[] = [];
  let depth = 0;
  let isLineStart = true;
  for (let at = 0; at < text.length;) {
    const character = text[at]!;
    if (isLineStart && depth === 0) {
      const [line, header] = match(HEADER, text, at) ?? [];
      if (line !== undefined) {
        tables.push({ header: header!, start: at, end: at + line.length });
        at += line.length;
        isLineStart = false;
        continue;
      }
    }
    const skipped =
      match(STRINGS, text, at)?.[0] ?? (character === '#' ? match(/[^\n]*/y, text, at)![0] : character);
    if (character === '[' || character === '{') depth++;
    if (character === ']' || character === '}') depth--;
    isLineStart = character === '\n';
    at += skipped.length;
    const isContent = character !== '#' && character.trim() !== '';
    if (isContent && tables.length > 0) tables.at(-1)!.end = at;
  }
  return tables.map((table) => ({ ...table, end: endOfLine(text, table.end) }));
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  const sticky = new RegExp(pattern.source, 'y');
  sticky.lastIndex = at;
  return sticky.exec(text) ?? undefined;
}

/** A comment at the end of a line belongs to the line. */
function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}
