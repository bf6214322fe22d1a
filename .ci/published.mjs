import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every package, in the order of the alphabet: its folder below `packages`, and its package.json. */
export function packagesOf(root) {
  return readdirSync(join(root, 'packages'))
    .sort()
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')),
    }));
}

/** The packages that people install. A private package is written into those that use it: see `inline.mjs`. */
export function publishedPackages(root) {
  return packagesOf(root).filter(({ manifest }) => !manifest.private);
}
