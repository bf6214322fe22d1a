import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Description {
  name: string;
  dependencies?: Record<string, string>;
}

export const descriptionOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Description;

/** The folders that an installation of a package brings, the package included. */
export function brought(folder: string, found = new Set<string>()): Set<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  for (const name of Object.keys(descriptionOf(folder).dependencies ?? {}))
    brought(realpathSync(placeOf(name, folder)), found);
  return found;
}

function placeOf(name: string, from: string): string {
  const path = join(from, 'node_modules', name);
  return existsSync(path) ? path : placeOf(name, dirname(from));
}

/** The bytes of all files of a package, without those of what it needs. */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.startsWith('node_modules'))
    .map((file) => statSync(join(folder, file)))
    .reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0);
}
