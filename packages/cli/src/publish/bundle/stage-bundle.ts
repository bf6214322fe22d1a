import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { makeFolder } from '@toolwright/json';
import { jsonText } from '../../changes/file-change.js';
import { CommandError } from '@toolwright/operate/terminal';
import { type Json, isObject, listOf } from '../../lint/directories/requirement.js';
import { type PlacedPackage, productionTree } from './production-tree.js';

interface BundleContent {
  /** The folder of the project. */
  project: string;
  manifest: Json;
  /** The files without which the server does not start, relative to the project, with forward slashes. */
  needed: readonly string[];
}

/**
 * Copies into an empty folder what a bundle contains: the files that npm would publish, the packages of production, and
 * the manifest.
 *
 * @throws {CommandError} if a package is not installed, or npm would not publish a file that is needed
 */
export function stageBundle({ project, manifest, needed }: BundleContent, stage: string): void {
  const tree = productionTree(project);
  // The project and packages of its workspace have sources and tests, too.
  const ours = tree.filter(({ from }) => !from.includes(`${sep}node_modules${sep}`));
  const files = packedFiles(
    ours.map(({ from }) => from),
    project,
  );
  const missing = needed.filter((file) => !files.get(tree[0]!.from)!.includes(file));
  const built = needed.filter((file) => !file.includes('/')).map((file) => JSON.stringify(file));
  if (missing.length > 0)
    throw new CommandError(
      `npm would not publish ${missing.join(' and ')}. Write into package.json: "files": ["dist", ${built.join(', ')}]`,
    );
  for (const { from, to } of tree) {
    const listed = files.get(from);
    if (listed === undefined) copyInstalled({ from, to }, stage);
    else for (const file of listed) copyFile(join(from, file), join(stage, to, file));
  }
  writeFileSync(join(stage, 'manifest.json'), jsonText(manifest));
}

function copyFile(from: string, to: string): void {
  makeFolder(dirname(to));
  cpSync(from, to, { dereference: true });
}

/** The packages inside are placed on their own. */
function copyInstalled({ from, to }: PlacedPackage, stage: string): void {
  cpSync(from, join(stage, to), {
    recursive: true,
    dereference: true,
    filter: (path) => path === from || basename(path) !== 'node_modules',
  });
}

/**
 * The files that npm would publish, for each folder of a package: the rules of `files`, .npmignore and .gitignore are
 * npm's own. Nothing is sent, and no script runs.
 *
 * @returns relative paths by folder
 */
function packedFiles(folders: readonly string[], cwd: string): Map<string, string[]> {
  // On Windows npm is a batch file, which only a shell can start.
  const options = { cwd, encoding: 'utf8', shell: process.platform === 'win32', maxBuffer: 2 ** 26 } as const;
  const given = folders.map((folder) => (options.shell ? `"${folder}"` : folder));
  const { stdout, stderr, error } = spawnSync(
    'npm',
    ['pack', '--dry-run', '--json', '--ignore-scripts', ...given],
    options,
  );
  const packed = parse(stdout);
  if (error || packed.length !== folders.length)
    throw new CommandError(
      `npm cannot say which files belong to the package: ${error?.message ?? stderr.trim()}`,
    );
  return new Map(
    folders.map((folder, index) => [folder, listOf(packed[index]!['files']).map(({ path }) => String(path))]),
  );
}

function parse(stdout: string | null): Json[] {
  try {
    const value: unknown = JSON.parse(stdout ?? '');
    return Array.isArray(value) ? listOf(value) : isObject(value) ? listOf(Object.values(value)) : [];
  } catch {
    return [];
  }
}
