import { findSourceMap } from 'node:module';
import { resolve } from 'node:path';
import type { CallSite } from '../../base/metadata/call-site.js';
import type { ClassEntry, LoadedManifest } from '../manifest/loaded-manifest.js';
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
 * True if the source of a class runs, and not its build. With source maps, the stack traces of a build name the
 * source as well; but then the build is loaded.
 */
export function isRunFromSource({ records }: Service, { definition, manifest }: ClassEntry): boolean {
  const { directory } = manifest;
  if (directory === undefined || !definition.module) return false;
  const build = resolve(directory, definition.module.path);
  const source = resolve(directory, definition.location.file);
  const [site] = sitesOf(records);
  return source !== build && site?.file === source && !loadedModule(build) && !findSourceMap(build);
}

/** For an unknown output folder: `…/dist/pages/tools.js` was compiled from `src/pages/tools.ts`. */
function hasStem(file: string, source: string): boolean {
  const stem = source.replace(/^[^/]*\//, '/').replace(/\.[cm]?[jt]sx?$/, '');
  return file
    .replaceAll('\\', '/')
    .replace(/\.[cm]?[jt]sx?$/, '')
    .endsWith(stem);
}
