import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { placeInProject } from './place-in-project.js';
import { replaceFile } from './replace-file.js';

/**
 * Writes a file of a project in one step, and keeps the mode of a file that exists. A link within the project stays a
 * link: its target is replaced.
 *
 * @param path absolute path. Missing folders are created.
 * @param project the folder of the project, which no link may leave
 * @throws {CommandError} if a link leads out of the project, or to nothing
 */
export function writeAtomically(path: string, text: string, project: string): void {
  const target = placeInProject(path, project);
  mkdirSync(dirname(target), { recursive: true });
  const before = statSync(target, { throwIfNoEntry: false });
  replaceFile(target, text, { mode: before && before.mode & 0o7777 });
}
