import { MANIFEST_FILE } from '@toolwright/manifest';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ts } from '../generator/tjs-adapter.js';
import type { Project } from '../program/open-project.js';
import { ownTypeScript } from '../program/own-typescript.js';

/**
 * A file at the time of the build. Its content is read again only if its size or one of its times differs. Tools that
 * keep the time of the content (`cp -p`, an unpacked archive) cannot set the time of the last change of the file.
 */
interface FilePrint {
  path: string;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  hash: string;
}

/** What a result depends on in addition to the text of known files: which files exist. */
interface FolderPrint {
  path: string;
  names: string;
}

export interface Fingerprint {
  files: FilePrint[];
  folders: FolderPrint[];
}

const SOURCE = /\.[mc]?tsx?$/;
const SKIPPED = new Set(['node_modules', '.git']);
const LOCKFILES = ['pnpm-lock.yaml', 'package-lock.json', 'yarn.lock', 'bun.lock'];

/**
 * Takes the fingerprint of everything that a compilation read.
 *
 * @param files sources, declaration files and tsconfigs, as absolute paths
 * @param roots folders whose sources belong to the project, with their subfolders
 * @param start the folder where the search for lockfiles and installed packages begins; it goes upwards
 */
function takeFingerprint(files: readonly string[], roots: readonly string[], start: string): Fingerprint {
  const installed = upwards(start).flatMap((folder) => {
    const modules = join(folder, 'node_modules');
    return [modules, join(modules, '@toolwright'), join(modules, '@types')].filter((path) =>
      existsSync(path),
    );
  });
  const locks = upwards(start).flatMap((folder) =>
    LOCKFILES.map((name) => join(folder, name)).filter((path) => existsSync(path)),
  );
  const sources = roots.flatMap(subfolders);
  return {
    files: printFiles([...files, ...locks]),
    folders: [
      ...sources.map((path) => ({ path, names: sourceNames(path) })),
      ...installed.map((path) => ({ path, names: allNames(path) })),
    ],
  };
}

/**
 * Returns the files whose text has changed. This costs one `stat` per file and one listing per folder.
 *
 * @returns undefined if files or packages were added or removed
 */
export function findChanges({ files, folders }: Fingerprint): string[] | undefined {
  const sameFolders = folders.every(({ path, names }) =>
    /[\\/]node_modules([\\/]@\w+)?$/.test(path) ? allNames(path) === names : sourceNames(path) === names,
  );
  if (!sameFolders) return undefined;
  return files.filter((file) => !isSameFile(file)).map(({ path }) => path);
}

/**
 * The fingerprint of a project after part of it was compiled again. Unchanged files are not read.
 *
 * @param files everything that the new compilation read
 */
export function refreshFingerprint(
  last: Fingerprint,
  changed: readonly string[],
  files: readonly string[],
): Fingerprint {
  const stale = new Set(changed);
  const kept = last.files.filter(({ path }) => !stale.has(path));
  const known = new Set(kept.map(({ path }) => path));
  return { ...last, files: [...kept, ...printFiles(files.filter((path) => !known.has(path)))] };
}

function printFiles(paths: readonly string[]): FilePrint[] {
  return [...new Set(paths)].map(printFile).filter((print) => print !== undefined);
}

function isSameFile({ path, size, mtimeMs, ctimeMs, hash }: FilePrint): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat || stat.size !== size) return false;
  const isUntouched = stat.mtimeMs === mtimeMs && stat.ctimeMs === ctimeMs;
  return isUntouched || digest(readFileSync(path)) === hash;
}

function printFile(path: string): FilePrint | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile()
    ? {
        path,
        size: stat.size,
        mtimeMs: stat.mtimeMs,
        ctimeMs: stat.ctimeMs,
        hash: digest(readFileSync(path)),
      }
    : undefined;
}

function sourceNames(folder: string): string {
  return list(folder)
    .filter((item) => (item.isDirectory() ? !SKIPPED.has(item.name) : SOURCE.test(item.name)))
    .map(({ name }) => name)
    .join('\n');
}

function allNames(folder: string): string {
  return list(folder)
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.'))
    .join('\n');
}

function subfolders(folder: string): string[] {
  const inner = list(folder).filter((item) => item.isDirectory() && !SKIPPED.has(item.name));
  return [folder, ...inner.flatMap(({ name }) => subfolders(join(folder, name)))];
}

function list(folder: string): import('node:fs').Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function upwards(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

function digest(content: Buffer): string {
  return createHash('sha1').update(content).digest('base64');
}

/** The fingerprint of everything that a compilation read: the program, its tsconfigs and its folders. */
export function dependenciesOf(project: Project): Fingerprint {
  const folders = Object.keys(project.config.wildcardDirectories ?? {});
  return takeFingerprint(filesOf(project), folders, project.root);
}

/** The files that a compilation read. */
export function filesOf({ program, configFile, config, root }: Project): string[] {
  const sources = program
    .getSourceFiles()
    .map((file) => file.fileName)
    .filter((name) => basename(name) !== MANIFEST_FILE);
  const { extendedSourceFiles = [] } = (config.options.configFile ?? {}) as ts.TsConfigSourceFile;
  const own = ownTypeScript(configFile);
  const manifests = [join(root, 'package.json'), ...(own ? [own.packageFile] : [])];
  return [...sources, configFile, ...extendedSourceFiles, ...manifests];
}

const { version } = JSON.parse(readFileSync(join(__dirname, '../..', 'package.json'), 'utf8')) as {
  version: string;
};

/** The version of this package. It is part of every manifest and every cache key. */
export const COMPILER_VERSION: string = version;
