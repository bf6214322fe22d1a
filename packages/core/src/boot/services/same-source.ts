import { findSourceMap } from 'node:module';
import { resolve } from 'node:path';
import type { CallSite } from '../../base/metadata/call-site.js';
import type { ClassEntry, LoadedManifest, Running } from '../manifest/loaded-manifest.js';
import { loadedModule } from './import-module.js';
import { sitesOf, type Service } from './service.js';

/** True if one of these decorators is in the source or in the compiled file of a manifest's class. */
export function isSameSource(sites: Iterable<CallSite>, manifest: LoadedManifest, key: string): boolean {
  const { location, module } = manifest.manifest.classes[key]!;
  const source = location.file;
  const files = [source, module?.path].flatMap((path) =>
    path === undefined || manifest.directory === undefined ? [] : [resolve(manifest.directory, path)],
  );
  return [...sites].some(({ file }) => file !== undefined && (files.includes(file) || hasStem(file, source)));
}

/**
 * Finds out where a class runs, from the places of its decorators. With source maps, a place names the source
 * although the build or a bundle runs. Node.js then knows the source maps of the files that do run.
 */
export function whereItRuns({ records }: Service, { definition, manifest, key }: ClassEntry): Running {
  const { directory } = manifest;
  // A manifest that was passed as a value has no folder only where no file of the class can be found.
  if (directory === undefined) return 'bundle';
  if (!isSameSource(sitesOf(records), manifest, key)) return 'bundle';
  if (!definition.module) return 'build';
  const build = resolve(directory, definition.module.path);
  const source = resolve(directory, definition.location.file);
  const [site] = sitesOf(records);
  if (source === build || site?.file !== source || isLoaded(build)) return 'build';
  return process.sourceMapsEnabled && !isLoaded(source) ? 'bundle' : 'sources';
}

function isLoaded(path: string): boolean {
  return loadedModule(path) !== undefined || findSourceMap(path) !== undefined;
}

/** For an unknown output folder: `…/dist/pages/tools.js` was compiled from `src/pages/tools.ts`. */
function hasStem(file: string, source: string): boolean {
  const stem = source.replace(/^[^/]*\//, '/').replace(/\.[cm]?[jt]sx?$/, '');
  return file
    .replaceAll('\\', '/')
    .replace(/\.[cm]?[jt]sx?$/, '')
    .endsWith(stem);
}
