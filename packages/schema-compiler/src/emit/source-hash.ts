import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** SHA-256 (hex) over paths and contents of files; needs no compiler. A file that is gone counts as changed. */
export function hashSources(root: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of [...files].sort()) {
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
