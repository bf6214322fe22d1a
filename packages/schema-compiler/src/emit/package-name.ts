import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Name of the package a folder belongs to; the folder's own name where no package.json says. */
export function packageName(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const { name } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { name?: string };
      if (name) return name;
    } catch {
      // No package.json here, or none that can be read: the one above decides.
    }
    if (dirname(at) === at) return basename(folder);
  }
}
