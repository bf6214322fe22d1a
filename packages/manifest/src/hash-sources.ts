import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';

/**
 * SHA-256 (hex) over the paths and contents of source files, for `Manifest.sourceHash`. A file that no longer
 * exists counts as changed.
 *
 * @param root the folder that the paths are relative to
 * @param files absolute, or relative to `root`; their order does not matter
 */
export function hashSources(root: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files.map((each) => resolve(root, each)).sort()) {
    hash.update(relative(root, file).split(sep).join('/')).update('\0').update(readText(file)).update('\0');
  }
  return hash.digest('hex');
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '\0gone';
  }
}
