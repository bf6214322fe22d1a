import { MANIFEST_FILE, type Manifest, checksumOf, hashSources } from '@toolwright/manifest';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { LoadedManifest } from './loaded-manifest.js';

/** The fix for every missing or stale manifest. */
export const BUILD =
  'Run `npx toolwright build` in the package of the class. In development, `toolwright dev` or ' +
  '`node --import @toolwright/cli/register` compile on the fly.';

/**
 * The directory of the package that a file belongs to: the nearest one above it that has a manifest, or a
 * `package.json` with a name (those without one only set the module format).
 */
export function packageDirectory(file: string): string | undefined {
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    if (existsSync(join(directory, MANIFEST_FILE)) || isNamedPackage(join(directory, 'package.json')))
      return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

function isNamedPackage(path: string): boolean {
  try {
    return typeof (JSON.parse(readFileSync(path, 'utf8')) as { name?: unknown }).name === 'string';
  } catch {
    return false;
  }
}

/**
 * Reports a manifest whose checksum is none of the pinned ones. Its own checksum only detects damage, because
 * somebody who can write the file can also write a new checksum.
 *
 * @param manifest its checksum, if it has one, fits its content
 */
export function checkPinned(
  manifest: Manifest,
  source: string,
  pinned: readonly string[] | undefined,
): ConfigurationProblem | undefined {
  if (!pinned) return undefined;
  const checksum = manifest.checksum ?? checksumOf(manifest);
  if (pinned.includes(checksum)) return undefined;
  return {
    code: 'TW_MANIFEST_PINNED',
    message: `${source} has the checksum ${checksum}, which manifestHash does not name.`,
    fix: 'Restore the manifest that was built. If you built another one on purpose, add its checksum to manifestHash.',
  };
}

/**
 * Reports a manifest file if its sources exist and have changed since the compilation. It is not called in
 * production, where sources may be in any state.
 */
export function checkSources({
  manifest,
  source,
  directory,
}: LoadedManifest): ConfigurationProblem | undefined {
  const { sources = [], sourceHash } = manifest;
  if (process.env['NODE_ENV'] === 'production' || directory === undefined || sources.length === 0)
    return undefined;
  const dates = sources.map((file) => statSync(join(directory, file), { throwIfNoEntry: false })?.mtimeMs);
  if (dates.every((date) => date === undefined)) return undefined;
  // Comparing dates takes a hundredth of the time of reading the files. The files are only read if one is
  // newer or missing.
  const written = statSync(source).mtimeMs;
  const suspects = sources.filter((_, index) => !(dates[index]! <= written));
  if (suspects.length === 0 || hashSources(directory, sources) === sourceHash) return undefined;
  return {
    code: 'TW_MANIFEST_STALE',
    message: `${source} is older than its sources: ${suspects.join(', ')} changed.`,
    fix: BUILD,
  };
}
