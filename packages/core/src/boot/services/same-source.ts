import { resolve } from 'node:path';
import type { ClassEntry } from '../manifest/loaded-manifest.js';
import { sitesOf, type Service } from './service.js';

/** True if the class was decorated in the source or the compiled file of the manifest entry. */
export function isSameSource({ records }: Service, { definition, manifest }: ClassEntry): boolean {
  const source = definition.location.file;
  const files = [source, definition.module?.path].flatMap((path) =>
    path === undefined || manifest.directory === undefined ? [] : [resolve(manifest.directory, path)],
  );
  return [...sitesOf(records)].some(
    ({ file }) => file !== undefined && (files.includes(file) || hasStem(file, source)),
  );
}

/** For an unknown output folder: `…/dist/pages/tools.js` was compiled from `src/pages/tools.ts`. */
function hasStem(file: string, source: string): boolean {
  const stem = source.replace(/^[^/]*\//, '/').replace(/\.[cm]?[jt]sx?$/, '');
  return file
    .replaceAll('\\', '/')
    .replace(/\.[cm]?[jt]sx?$/, '')
    .endsWith(stem);
}
