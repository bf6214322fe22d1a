import type { CallSite } from '@toolwright/ground/base/metadata/call-site';
import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import { oncePer, validatedClasses } from '@toolwright/json';
import { type ManifestClass, outlineOf } from '@toolwright/manifest';
import { findSourceMap } from 'node:module';
import { resolve } from 'node:path';
import type { ClassEntry, LoadedManifest, Running } from '../manifest/loaded-manifest.js';
import { loadedModule } from './import-module.js';
import { type Service, sitesOf } from './service.js';

/** The outline of a running class. It equals the `outline` of its manifest entry. */
export const outlineOfClass = oncePer((target: AnyClass): string =>
  outlineOf({
    members: functionsOf(target.prototype).filter((name) => name !== 'constructor'),
    statics: functionsOf(target),
    arity: target.length,
    isDerived: Object.getPrototypeOf(target) !== Function.prototype,
  }),
);

/** Methods and accessors. Unlike fields, a class declares them as not enumerable. */
function functionsOf(holder: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(holder))
    .filter(([, { enumerable, value, get, set }]) => {
      return !enumerable && (typeof value === 'function' || get !== undefined || set !== undefined);
    })
    .map(([name]) => name);
}

/** Whether the text of a running class names these fields. Minifiers keep the names of properties. */
export function hasFields(target: AnyClass, fields: readonly string[]): boolean {
  if (fields.length === 0) return true;
  const words = new Set(Function.prototype.toString.call(target).match(/[\w$]+/g));
  return fields.every((field) => words.has(field));
}

/** Minifiers give classes names of one to three characters. Such a name says nothing about the class. */
export function isNameless({ name }: AnyClass): boolean {
  return name.length <= 3;
}

/**
 * The names that a class may have in the source. Bundlers add an underscore or a number to tell equal names
 * apart.
 */
export function possibleNames({ name }: AnyClass): string[] {
  return [name, name.replace(/^_+/, '').replace(/\d+$/, '')];
}

/**
 * In a bundle, a class that is the type of no parameter is known only to class-validator, by its name.
 *
 * @returns undefined also for a class without rules, because class-validator is not loaded for it
 */
export function classWithRules({
  name,
  mergeRuntime,
  validation = 'skip',
}: ManifestClass): AnyClass | undefined {
  if (!mergeRuntime && validation === 'skip') return undefined;
  const named = validatedClasses().filter((each) => possibleNames(each).includes(name.split('.').at(-1)!));
  return named.length === 1 ? named[0] : undefined;
}

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
  // A manifest that was passed as a value has a folder whenever a file of the class can be found.
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
