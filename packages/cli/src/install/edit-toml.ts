import { isDeepStrictEqual } from 'node:util';
import type { HostConfig } from '@toolwright/http/hosts';
import { parse, type TomlTable as TomlValue } from 'smol-toml';
import { SettingsError } from './settings-error.js';
import { tomlTables, type TomlTable } from './toml-tables.js';

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
    // Two tables of one name, for example: the file had ours in another form.
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

/** @throws {SettingsError} if it is no TOML */
function read(text: string): TomlValue {
  try {
    return parse(text);
  } catch (error) {
    throw new SettingsError(`The file cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
}
