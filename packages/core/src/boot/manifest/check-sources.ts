import { statSync } from 'node:fs';
import { join } from 'node:path';
import { hashSources } from '@toolwright/manifest';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { BUILD } from './build-hint.js';
import type { LoadedManifest } from './loaded-manifest.js';

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
