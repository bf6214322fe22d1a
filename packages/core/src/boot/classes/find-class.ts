import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import { getOrMake, oncePer } from '@toolwright/json';
import type { ManifestClass } from '@toolwright/manifest';
import {
  importModule,
  isRequirable,
  loadedModule,
  requireModule,
  type ModuleExports,
} from './import-module.js';
import type { LoadedManifest } from '../manifest/loaded-manifest.js';

/**
 * Returns the class for a manifest key. If its module is already loaded, from the source or from the build,
 * that module is used. Otherwise the module is imported.
 *
 * @returns undefined for classes that no module exports, and for manifests without a directory
 * @throws the error of importing the module
 */
export async function findClass(manifest: LoadedManifest, key: string): Promise<AnyClass | undefined> {
  const loaded = findLoadedClass(manifest, key);
  if (loaded) return loaded;
  const { path, name } = unloaded(manifest, key);
  return path === undefined ? undefined : exportedClass(await importModule(path), name);
}

/** The same without importing anything. */
export function findLoadedClass(manifest: LoadedManifest, key: string): AnyClass | undefined {
  const { paths, name } = whereabouts(manifest, key);
  for (const path of paths) {
    const module = loadedModule(path);
    const found = module && exportedClass(module, name);
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns a function that loads the class synchronously; undefined if that needs an `import()`.
 *
 * @throws (the function) the error of loading the module
 */
export function requirableClass(
  manifest: LoadedManifest,
  key: string,
): (() => AnyClass | undefined) | undefined {
  const { path, name } = unloaded(manifest, key);
  return path !== undefined && isRequirable(path)
    ? () => exportedClass(requireModule(path), name)
    : undefined;
}

/**
 * Whether a class is part of a bundle. A bundle may have the name of a file of the build (`dist/main.js`), and then the
 * files of the other modules are missing.
 */
export function isBundled(manifest: LoadedManifest, key: string): boolean {
  if (manifest.runs !== 'build') return manifest.runs === 'bundle';
  if (manifest.manifest.classes[key]?.module === undefined) return false;
  const { paths } = whereabouts(manifest, key);
  const [build] = paths;
  return build !== undefined && !existsSync(build) && !paths.some((path) => loadedModule(path));
}

/** The file to load a class from: the build, unless the application runs the sources. */
function unloaded(manifest: LoadedManifest, key: string): { path: string | undefined; name: string } {
  // The source has another class than the bundle.
  if (manifest.runs === 'build' && isBundled(manifest, key)) return { path: undefined, name: '' };
  const { paths, name } = whereabouts(manifest, key);
  const [build] = paths;
  const ordered = { build: paths, sources: paths.toReversed(), bundle: build === undefined ? [] : [build] };
  return { path: ordered[manifest.runs ?? 'build'].find((each) => existsSync(each)), name };
}

/** False in a bundle, whose modules are not files. Nothing is imported. */
export function isReachable(manifest: LoadedManifest, key: string): boolean {
  if (findLoadedClass(manifest, key)) return true;
  return manifest.runs !== 'bundle' && unloaded(manifest, key).path !== undefined;
}

interface Whereabouts {
  paths: string[];
  name: string;
}

/** The results are kept, because each class is searched among all classes of its manifest. */
const found = oncePer((_: LoadedManifest) => new Map<string, Whereabouts>());

function whereabouts(manifest: LoadedManifest, key: string): Whereabouts {
  return getOrMake(found(manifest), key, () => locate(manifest, key));
}

/** The build comes first, because it is what runs in production, and a source cannot always be imported. */
function locate({ manifest, directory }: LoadedManifest, key: string): Whereabouts {
  const definition = manifest.classes[key];
  if (!definition || directory === undefined) return { paths: [], name: '' };
  if (!definition.module) return whereImported(definition, directory);
  const { path, export: name } = definition.module;
  return { paths: [resolve(directory, path), resolve(directory, definition.location.file)], name };
}

/** A class of another package, found through the import of this package. */
function whereImported({ imported }: ManifestClass, directory: string): Whereabouts {
  if (!imported) return { paths: [], name: '' };
  try {
    const path = createRequire(join(directory, 'package.json')).resolve(imported.specifier);
    return { paths: [path], name: imported.export };
  } catch {
    // The code that needs the class reports that it cannot be loaded.
    return { paths: [], name: '' };
  }
}

function exportedClass(module: ModuleExports, name: string): AnyClass | undefined {
  // If import() loads a CommonJS module, its exports are in `default`.
  const value = name.split('.').reduce<unknown>(member, module) ?? member(module['default'], name);
  return typeof value === 'function' ? (value as AnyClass) : undefined;
}

function member(holder: unknown, name: string): unknown {
  return holder === undefined || holder === null ? undefined : (holder as Record<string, unknown>)[name];
}
