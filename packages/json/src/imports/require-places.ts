import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** An option that cannot be used. The message is one line. */
export class ImportOptionError extends Error {}

/**
 * Sees that the folder and the report can be written, before anything is: an import that stops in the middle leaves a folder
 * that is neither the old one nor the new one.
 *
 * @throws {ImportOptionError}
 */
export function requirePlaces(
  { out, report }: { readonly out: string; readonly report?: string | undefined },
  cwd: string,
): void {
  let place = resolve(cwd, out);
  while (kindOf(place) === 'nothing' && dirname(place) !== place) place = dirname(place);
  if (kindOf(place) !== 'folder')
    throw new ImportOptionError(`--out ${out} cannot be a folder: ${place} is a file.`);
  if (report === undefined) return;
  const folder = dirname(resolve(cwd, report));
  if (kindOf(folder) !== 'folder')
    throw new ImportOptionError(`--report ${report}: there is no folder ${folder}.`);
  if (kindOf(resolve(cwd, report)) === 'folder')
    throw new ImportOptionError(`--report ${report} is a folder.`);
}

function kindOf(path: string): 'folder' | 'file' | 'nothing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    // Below a file there is nothing, either.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'nothing';
    throw error;
  }
}
