import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The name of the package that a folder belongs to. Without a package.json, the name of the folder. */
export function packageName(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const { name } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { name?: string };
      if (name) return name;
    } catch {
      // There is no readable package.json here, so the search continues in the folder above.
    }
    if (dirname(at) === at) return basename(folder);
  }
}
