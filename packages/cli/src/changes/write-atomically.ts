import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { placeInProject } from './place-in-project.js';

const NEW_FILE = 0o666;

/**
 * Writes a file in one step: a reader sees the old text or the new one, never a part of it, and a command that
 * is stopped leaves no half file. The mode of a file that exists is kept.
 *
 * @param path absolute path. Missing folders are created.
 * @param project the folder of the project, which no link may leave
 * @throws {CommandError} if a link leads out of the project, or to nothing
 */
export function writeAtomically(path: string, text: string, project: string): void {
  // A link within the project stays a link: its target is replaced.
  const target = placeInProject(path, project);
  mkdirSync(dirname(target), { recursive: true });
  const before = statSync(target, { throwIfNoEntry: false });
  const draft = `${target}.${randomUUID()}.tmp`;
  try {
    // The umask takes its bits from the mode of a new file, and must not take any from a mode that is kept.
    writeFileSync(draft, text, { mode: NEW_FILE, flag: 'wx' });
    if (before) chmodSync(draft, before.mode & 0o7777);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
