import { checksumOf, type Manifest } from '@toolwright/manifest';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';

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
