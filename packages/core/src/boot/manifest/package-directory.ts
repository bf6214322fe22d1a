import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MANIFEST_FILE } from '@toolwright/manifest';

/**
 * The directory of the package that a file belongs to: the nearest one above it that has a manifest, or a
 * `package.json` with a name (those without one only set the module format).
 */
export function packageDirectory(file: string): string | undefined {
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    if (existsSync(join(directory, MANIFEST_FILE)) || isNamedPackage(join(directory, 'package.json')))
      return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

function isNamedPackage(path: string): boolean {
  try {
    return typeof (JSON.parse(readFileSync(path, 'utf8')) as { name?: unknown }).name === 'string';
  } catch {
    return false;
  }
}
