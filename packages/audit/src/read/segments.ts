import { open, type FileHandle } from 'node:fs/promises';
import type { OpenEntry } from '../chain/entries.js';
import type { LogPaths } from '../files/log-paths.js';
import { openPart } from '../files/part-files.js';

/** One file of a writer's chain. */
export interface Segment {
  number: number;
  path: string;
  /**
   * Whether it is complete. Otherwise it is being written, and may be renamed to `rotatedPath` at any moment.
   */
  rotated: boolean;
  rotatedPath: string;
}

/** More bytes than any first line, which is an open entry. */
const FIRST_LINE_BYTES = 4096;

/**
 * The files of a writer in the order of its chain. The name of the current file contains no number, but its
 * first line does.
 */
export async function listSegments(log: LogPaths, slot: number): Promise<Segment[]> {
  const paths = log.writer(slot);
  // This is read first. A rotation in between then shows the file twice, instead of not at all.
  const first = await readFirstEntry(paths.current);
  const numbers = await log.rotatedSegments(slot);
  const segmentOf = (number: number, path: string, rotated: boolean): Segment => {
    return { number, path, rotated, rotatedPath: paths.rotated(number) };
  };
  const segments = numbers.map((number) => segmentOf(number, paths.rotated(number), true));
  const number = first?.segment ?? (numbers.at(-1) ?? 0) + 1;
  if (first !== undefined && !numbers.includes(number))
    segments.push(segmentOf(number, paths.current, false));
  return segments;
}

/** Opens the file with this number, even if a rotation has renamed it meanwhile. */
export async function openSegment({ number, path, rotated, rotatedPath }: Segment): Promise<FileHandle> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (!rotated && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return open(rotatedPath, 'r');
  const entry = rotated ? undefined : await readEntry(file);
  if (!entry || entry.segment === number) return file;
  await file.close();
  return open(rotatedPath, 'r');
}

/** Calls `tell` for each part of a writer that is not a regular file. `listSegments` leaves them out. */
export async function tellOddParts(
  log: LogPaths,
  slot: number,
  tell: (path: string, fact: string) => void,
): Promise<void> {
  for (const [path, kind] of await log.oddParts(slot))
    tell(path, `is ${kind}, where a log has a regular file: it is not read`);
}

/** Undefined if there is not a regular file; `null` if it does not begin with an open entry. */
export async function readFirstEntry(path: string): Promise<OpenEntry | null | undefined> {
  const file = await openPart(path);
  try {
    return file && (await readEntry(file));
  } finally {
    await file?.close();
  }
}

async function readEntry(file: FileHandle): Promise<OpenEntry | null> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(FIRST_LINE_BYTES), 0, FIRST_LINE_BYTES, 0);
  try {
    const line = buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0]!;
    const { open: entry } = JSON.parse(line) as { open?: OpenEntry };
    return entry && Number.isSafeInteger(entry.segment) && typeof entry.writer === 'string' ? entry : null;
  } catch {
    return null;
  }
}
