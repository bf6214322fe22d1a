import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type OptionRule, optionRules } from '@toolwright/core/options';
import { escapePattern } from '@toolwright/json';
import { noLog } from '../errors/audit-error.js';
import { type LogPaths, isFolder, logPaths, slotsOf } from '../files/log-paths.js';
import type { AuditRecord } from '../record.js';
import type { AuditFilter } from './audit-filter.js';
import { type OnBroken, readSince } from './read-since.js';
import { tellForksWithin } from './verify/find-forks.js';

/** Where records are, beside files: a table that several logs are shipped to. */
export interface AuditSource {
  /** How messages name it. It has no password. */
  readonly name: string;
  /**
   * The records of each writer, in the order of their numbers. Those outside of the filter's times may be left out.
   *
   * @param onBroken called for each record that should be there and is not
   */
  writers(asked: {
    readonly filter: AuditFilter;
    readonly onBroken?: OnBroken | undefined;
  }): Promise<readonly AsyncGenerator<NumberedRecord>[]>;
  /**
   * All records, the latest first.
   *
   * @param before the place of a record; those before it follow
   */
  latest(before: string | undefined): AsyncGenerator<LatestRecord>;
  close(): Promise<void>;
}

/** A record, with its number in the chain of its writer. A record that somebody has damaged may name another one. */
export interface NumberedRecord {
  readonly record: AuditRecord;
  readonly number: number;
}

/** A record, with its place in what is read from the end. */
export interface LatestRecord {
  readonly record: AuditRecord;
  /** Its JSON. */
  readonly line: string;
  /** Everything from here on was read. */
  readonly place: string;
}

/** The file of a log, a pattern with `*` for several, or a table. */
export type AuditLog = string | AuditSource;

const isSource = (value: unknown): boolean => typeof (value as AuditSource | null)?.writers === 'function';

const { either, filledText, listOf, named } = optionRules;
const oneLog: OptionRule = either(filledText, { expected: 'a table', accepts: isSource });

/** One log, or a list of logs. */
export const logsRule: OptionRule = named(
  'the file of a log, or a list of files and tables',
  either(oneLog, {
    expected: 'a list of logs',
    accepts: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((each) => oneLog.accepts(each)),
  }),
);

/** One file or pattern, or a list of them: for what only files have. */
export const filesRule: OptionRule = named(
  'the file of a log, or a list of files',
  either(filledText, listOf('a list of files', filledText)),
);

export function logsIn(given: AuditLog | readonly AuditLog[]): { files: string[]; tables: AuditSource[] } {
  const logs = Array.isArray(given) ? (given as readonly AuditLog[]) : [given as AuditLog];
  return {
    files: logs.filter((each) => typeof each === 'string'),
    tables: logs.filter((each) => typeof each !== 'string'),
  };
}

/** The writers of all logs. `onBroken` hears if one of several logs is missing. */
export async function writersOf(
  given: AuditLog | readonly AuditLog[],
  asked: { readonly filter: AuditFilter; readonly onBroken?: OnBroken | undefined },
): Promise<AsyncGenerator<NumberedRecord>[]> {
  const { files: patterns, tables: sources } = logsIn(given);
  const files = await someLogFiles(patterns, { onBroken: asked.onBroken, tables: sources });
  const ofFiles = await Promise.all(
    files.map(async (file) => {
      const log = logPaths(file);
      const slots = await slotsOf(log, file);
      if (asked.onBroken) await tellForksWithin(log, slots, asked.onBroken);
      return slots.map((slot) => recordsOf(log, slot, asked.onBroken));
    }),
  );
  const ofSources = await Promise.all(sources.map((source) => source.writers(asked)));
  return [...ofFiles, ...ofSources].flat();
}

async function* recordsOf(
  log: LogPaths,
  slot: number,
  onBroken: OnBroken | undefined,
): AsyncGenerator<NumberedRecord> {
  const position = { segment: 0, offset: 0 };
  for await (const { records, numbers } of readSince(log, slot, { position, onBroken }))
    for (const [at, record] of records.entries()) yield { record, number: numbers[at]! };
}

/**
 * The logs that files and patterns mean. One that is missing is an error if there is nothing else to read, or if nobody hears
 * of it otherwise.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND`
 */
export async function someLogFiles(
  given: string | readonly string[],
  { onBroken, tables = [] }: { onBroken?: OnBroken | undefined; tables?: readonly AuditSource[] } = {},
): Promise<string[]> {
  const { files, missing } = await logFiles([given].flat());
  const absent = missing.map(noLog);
  const isNone = files.length + tables.length === 0;
  if (absent.length > 0 && (isNone || !onBroken)) throw absent[0]!;
  for (const { message } of absent) onBroken!(message);
  return files;
}

/** Files that belong to a log and are not the log. */
const BESIDE = /\.(?:head|lock|pub\.pem|keys\.json)$|\.torn-\d+$|\.cursor-[^.]+$/;

/**
 * The logs that files and patterns mean, each once. A shell puts all files of a folder in the place of a pattern, so a file
 * of a second writer, or one that is complete, means the log that it belongs to.
 */
export async function logFiles(given: readonly string[]): Promise<{ files: string[]; missing: string[] }> {
  const isOne = given.length === 1 && !/[*?]/.test(given[0]!);
  const found = new Map<string, string>();
  const missing: string[] = [];
  for (const pattern of given) {
    const isPattern = /[*?]/.test(pattern);
    const matches = isPattern ? (await matching(resolve(pattern))).sort() : [resolve(pattern)];
    let count = 0;
    for (const match of matches) {
      if (!isOne && BESIDE.test(match)) continue;
      const file = isOne ? match : logOf(match);
      if (!isOne && (await isFolder(match))) continue;
      if ((await logPaths(file).slots()).length === 0) continue;
      count += 1;
      const folder = await realpath(dirname(file));
      found.set(join(folder, basename(file)), file);
    }
    if (count === 0 && (isPattern || isOne || !BESIDE.test(pattern))) missing.push(pattern);
  }
  return { files: [...found.values()], missing };
}

/** `audit.w1.000002.jsonl` is a file of `audit.jsonl`. */
function logOf(file: string): string {
  const extension = extname(file);
  const name = basename(file, extension).replace(/(?:\.w\d+)?(?:\.\d{6,})?$/, '');
  return join(dirname(file), `${name}${extension}`);
}

/** The paths that a pattern matches: `*` is any text within one name, `?` one character. */
async function matching(pattern: string): Promise<string[]> {
  const folder = dirname(pattern);
  const folders = /[*?]/.test(folder) ? await matching(folder) : [folder];
  const name = basename(pattern);
  const text = escapePattern(name).replaceAll('\\*', '[^]*').replaceAll('\\?', '[^]');
  const fits = new RegExp(`^${text}$`);
  const found = await Promise.all(
    folders.map(async (each) => {
      const names = await readdir(each).catch(() => undefined);
      if (!names) return [];
      // The file that is being written may be gone, while the complete ones of its log are there.
      if (!/[*?]/.test(name)) return [join(each, name)];
      return names.filter((entry) => fits.test(entry)).map((entry) => join(each, entry));
    }),
  );
  return found.flat();
}
