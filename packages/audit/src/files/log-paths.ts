import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { escapePattern } from '@toolwright/json';
import { AuditError, noLog } from '../errors/audit-error.js';
import { otherThanFile } from './part-files.js';

/** The files of one writer. The writers of a log have slots, and slot 0 writes the file that was asked for. */
export interface WriterPaths {
  slot: number;
  /** The segment being written. */
  current: string;
  /** The signed state of the chain after the last commit. */
  head: string;
  lock: string;
  /** A segment that is complete. */
  rotated(segment: number): string;
  /** The file for the rest of an unfinished batch. */
  torn(batch: number): string;
  /** The file that says how far a sink has received this writer's records. */
  cursor(sink: string): string;
}

/** The files that all writers of a log share. */
export interface LogPaths {
  keys: string;
  publicKeys: string;
  writer(slot: number): WriterPaths;
  /** The slots with at least one file, ascending. */
  slots(): Promise<number[]>;
  /** The numbers of a slot's rotated segments, ascending. */
  rotatedSegments(slot: number): Promise<number[]>;
  /** What has the name of a slot's segment or head, and is not a regular file, with what it is. */
  oddParts(slot: number): Promise<Map<string, string>>;
}

/** `audit.jsonl` -> `audit.jsonl`, `audit.000001.jsonl`, `audit.head`, second writer `audit.w1.jsonl`, … */
export function logPaths(file: string): LogPaths {
  const directory = dirname(file);
  const extension = extname(file);
  const name = basename(file, extension);
  const at = (suffix: string) => join(directory, `${name}${suffix}`);
  const prefixOf = (slot: number) => (slot === 0 ? '' : `.w${slot}`);

  return {
    keys: at('.keys.json'),
    publicKeys: at('.pub.pem'),
    writer(slot) {
      const prefix = prefixOf(slot);
      return {
        slot,
        current: at(`${prefix}${extension}`),
        head: at(`${prefix}.head`),
        lock: at(`${prefix}.lock`),
        rotated: (segment) => at(`${prefix}.${String(segment).padStart(6, '0')}${extension}`),
        torn: (batch) => at(`${prefix}.torn-${batch}`),
        cursor: (sink) => at(`${prefix}.cursor-${sink}`),
      };
    },
    async slots() {
      const names = (await readEntries(directory)).map((entry) => entry.name);
      const pattern = new RegExp(
        `^${escapePattern(name)}(?:\\.w(\\d+))?(?:\\.\\d{6,})?(?:${escapePattern(extension)}|\\.head)$`,
      );
      const found = names.map((entry) => pattern.exec(entry)).filter((match) => match !== null);
      return [...new Set(found.map(([, slot]) => Number(slot ?? 0)))].sort((a, b) => a - b);
    },
    async rotatedSegments(slot) {
      const start = `${name}${prefixOf(slot)}.`;
      const entries = await readEntries(directory);
      const odd = await oddOf(entries.filter((entry) => entry.name.startsWith(start)));
      const numbers = entries
        .map((entry) => entry.name)
        .filter(
          (entry) => entry.startsWith(start) && entry.endsWith(extension) && !odd.has(join(directory, entry)),
        )
        .map((entry) => entry.slice(start.length, entry.length - extension.length))
        .filter((middle) => /^\d{6,}$/.test(middle));
      return numbers.map(Number).sort((a, b) => a - b);
    },
    async oddParts(slot) {
      const start = escapePattern(`${name}${prefixOf(slot)}`);
      const part = new RegExp(`^${start}(?:(?:\\.\\d{6,})?${escapePattern(extension)}|\\.head)$`);
      return oddOf((await readEntries(directory)).filter((entry) => part.test(entry.name)));
    },
  };
}

/**
 * The slots of a log that must be there.
 *
 * @param file as somebody has written it
 * @throws AuditError `TW_AUDIT_NOT_FOUND`
 */
export async function slotsOf(log: LogPaths, file: string): Promise<number[]> {
  const slots = await log.slots();
  if (slots.length === 0) throw noLog(file);
  if (!(await isFolder(log.writer(0).current))) return slots;
  throw new AuditError(
    'TW_AUDIT_NOT_FOUND',
    `${file} is a folder. Name the file of a log in it, such as ${join(file, 'audit.jsonl')}.`,
  );
}

export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The entries that are not regular files, with what they are. Only links cost a look. */
async function oddOf(entries: readonly Dirent[]): Promise<Map<string, string>> {
  const odd = new Map<string, string>();
  for (const entry of entries.filter((each) => !each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const kind = await otherThanFile(path);
    if (kind) odd.set(path, kind);
  }
  return odd;
}

async function readEntries(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
