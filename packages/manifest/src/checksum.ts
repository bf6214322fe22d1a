import { createHash } from 'node:crypto';
import type { Manifest } from './manifest.js';

/**
 * SHA-256 (hex) over all of a manifest but its `checksum`. How the file is indented does not matter, the order of its
 * members does. It tells damage; whoever can write the file can write another, so pin the checksum where that counts.
 */
export function checksumOf({ checksum: _checksum, ...content }: Manifest): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** The text of a manifest file, with its checksum: what `parseManifest` reads. */
export function formatManifest(manifest: Manifest): string {
  const { checksum: _checksum, ...content } = manifest;
  return `${JSON.stringify({ ...content, checksum: checksumOf(manifest) })}\n`;
}
