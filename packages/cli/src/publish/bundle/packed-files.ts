import { spawnSync } from 'node:child_process';
import { CommandError } from '../../command-error.js';
import { isObject, listOf, type Json } from '../../lint/directories/server-json/values.js';

/**
 * The files that npm would publish, for each folder of a package: the rules of `files`, .npmignore and .gitignore are
 * npm's own. Nothing is sent, and no script runs.
 *
 * @returns relative paths by folder
 */
export function packedFiles(folders: readonly string[], cwd: string): Map<string, string[]> {
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
