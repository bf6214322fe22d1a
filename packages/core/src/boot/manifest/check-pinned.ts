import { checksumOf, type Manifest } from '@toolwright/manifest';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { BUILD } from './build-hint.js';

/**
 * Reports a manifest whose content does not match its own checksum (if it has one) or any of the pinned ones.
 * Its own checksum only detects damage, because somebody who can write the file can also write a new
 * checksum.
 */
export function checkPinned(
  manifest: Manifest,
  source: string,
  pinned: readonly string[] | undefined,
): ConfigurationProblem | undefined {
  if (!pinned && manifest.checksum === undefined) return undefined;
  const checksum = checksumOf(manifest);
  if (manifest.checksum !== undefined && manifest.checksum !== checksum) {
    const message = `${source} is damaged or was edited: its content does not fit its checksum.`;
    return { code: 'TW_MANIFEST_INVALID', message, fix: BUILD };
  }
  if (!pinned || pinned.includes(checksum)) return undefined;
  return {
    code: 'TW_MANIFEST_PINNED',
    message: `${source} has the checksum ${checksum}, which manifestHash does not name.`,
    fix: 'Restore the manifest that was built. If you built another one on purpose, add its checksum to manifestHash.',
  };
}
