import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package as it lies on the disk. */
export interface InstalledPackage {
  directory: string;
  manifest: PackageManifest;
}

export interface PackageManifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/**
 * Finds what packages need to run, as it is installed for them, all the way down. What is optional and absent stays out.
 *
 * @param roots folders of packages; they are not among the results
 */
export function dependencyClosure(roots: readonly string[]): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  const waiting = roots.flatMap(neededBy);
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    if (found.has(directory) || roots.includes(directory)) continue;
    found.set(directory, { directory, manifest: readManifest(directory) });
    waiting.push(...neededBy(directory));
  }
  return [...found.values()];
}

function neededBy(directory: string): string[] {
  const manifest = readManifest(directory);
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  const names = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
  return names.map((name) => findInstalled(name, directory)).flatMap((path) => path ?? []);
}

/** As Node looks for it: in the `node_modules` of every folder on the way up. */
export function findInstalled(name: string, from: string): string | undefined {
  const path = join(from, 'node_modules', name);
  if (existsSync(join(path, 'package.json'))) return realpathSync(path);
  return dirname(from) === from ? undefined : findInstalled(name, dirname(from));
}

export function readManifest(directory: string): PackageManifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as PackageManifest;
}
