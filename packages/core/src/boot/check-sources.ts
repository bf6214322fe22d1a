import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hashSources } from '@toolwright/manifest';
import type { ConfigurationProblem } from '../errors/configuration-error.js';
import { BUILD } from './build-hint.js';
import type { LoadedManifest } from './loaded-manifest.js';

/**
 * Reports a manifest file whose sources are there and differ from what it was compiled from. Not asked in production,
 * where sources may lie around in any state.
 */
export function checkSources({
  manifest,
  source,
  directory,
}: LoadedManifest): ConfigurationProblem | undefined {
  const { sources = [], sourceHash } = manifest;
  if (process.env['NODE_ENV'] === 'production' || directory === undefined || sources.length === 0)
    return undefined;
  const present = sources.filter((file) => existsSync(join(directory, file)));
  if (present.length === 0) return undefined;
  // Looking at dates costs a hundredth of reading the files; only a newer or missing file makes it necessary.
  const written = statSync(source).mtimeMs;
  const isNewer = (file: string) => statSync(join(directory, file)).mtimeMs > written;
  if (present.length === sources.length && !present.some(isNewer)) return undefined;
  if (hashSources(directory, sources) === sourceHash) return undefined;
  const changed = [...sources.filter((file) => !present.includes(file)), ...present.filter(isNewer)];
  return {
    code: 'TW_MANIFEST_STALE',
    message: `${source} is older than its sources: ${changed.join(', ')} changed.`,
    fix: BUILD,
  };
}
