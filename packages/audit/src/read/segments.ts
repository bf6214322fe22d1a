import { open } from 'node:fs/promises';
import type { OpenEntry } from '../chain/entries.js';
import type { LogPaths } from '../files/log-paths.js';

/** One file of a writer's chain. */
export interface Segment {
  number: number;
  path: string;
  rotated: boolean;
}

/** Longer than any first line, which is an open entry. */
const FIRST_LINE_BYTES = 4096;

/** The files of a writer in the order of its chain. The one being written has no number in its name, but inside. */
export async function listSegments(log: LogPaths, slot: number): Promise<Segment[]> {
  const paths = log.writer(slot);
  const numbers = await log.rotatedSegments(slot);
  const rotated = numbers.map((number) => ({ number, path: paths.rotated(number), rotated: true }));
  const first = await readFirstEntry(paths.current);
  if (first === undefined) return rotated;
  const number = first?.segment ?? (numbers.at(-1) ?? 0) + 1;
  return [...rotated, { number, path: paths.current, rotated: false }];
}

/** Undefined without a file, `null` if it does not begin with an open entry. */
export async function readFirstEntry(path: string): Promise<OpenEntry | null | undefined> {
  let file;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(FIRST_LINE_BYTES), 0, FIRST_LINE_BYTES, 0);
    const line = buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0]!;
    return parseOpen(line);
  } finally {
    await file.close();
  }
}

function parseOpen(line: string): OpenEntry | null {
  try {
    const { open: entry } = JSON.parse(line) as { open?: OpenEntry };
    return entry && Number.isSafeInteger(entry.segment) && typeof entry.writer === 'string' ? entry : null;
  } catch {
    return null;
  }
}
