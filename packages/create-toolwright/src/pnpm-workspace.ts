import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * The folder of a package in its workspace of pnpm, with forward slashes: `apps/notes`. `undefined` for a package of its
 * own, and for one that has its own lockfile.
 *
 * @param directory absolute path of the package
 */
export function folderInWorkspace(directory: string): string | undefined {
  if (existsSync(join(directory, 'pnpm-lock.yaml'))) return undefined;
  const root = rootAbove(directory);
  return root === undefined ? undefined : relative(root, directory).replaceAll('\\', '/');
}

function rootAbove(directory: string): string | undefined {
  const above = dirname(directory);
  if (above === directory) return undefined;
  const file = join(above, 'pnpm-workspace.yaml');
  // A package of its own may keep settings in such a file.
  return existsSync(file) && /^packages:/m.test(readFileSync(file, 'utf8')) ? above : rootAbove(above);
}
