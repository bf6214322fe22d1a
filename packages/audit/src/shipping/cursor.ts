import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Position } from '../read/read-since.js';

/** How far a sink has got a writer's records; `undefined` when that is not known, which is when nothing was sent. */
export async function readCursor(path: string): Promise<Position | undefined> {
  try {
    const { segment, offset } = JSON.parse(await readFile(path, 'utf8')) as Position;
    return Number.isSafeInteger(segment) && Number.isSafeInteger(offset) ? { segment, offset } : undefined;
  } catch {
    // There is no cursor yet, or it cannot be read. Then everything is sent again, and duplicates are removed
    // by id.
    return undefined;
  }
}

export async function writeCursor(path: string, position: Position): Promise<void> {
  const draft = `${path}.draft`;
  await writeFile(draft, JSON.stringify(position));
  await rename(draft, path);
}

export function isAfter(a: Position, b: Position): boolean {
  return a.segment > b.segment || (a.segment === b.segment && a.offset > b.offset);
}
