import { createHash } from 'node:crypto';
import type { Manifest } from './manifest.js';

/**
 * SHA-256 (hex) over everything in a manifest except its `checksum`. Indentation does not matter, but the
 * order of members does. It detects damage. Somebody who can write the file can also write a new checksum, so
 * pin the checksum if that is a risk.
 */
export function checksumOf({ checksum: _checksum, ...content }: Manifest): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** The text of a manifest file, with its checksum: what `parseManifest` reads. */
export function formatManifest(manifest: Manifest): string {
  const { checksum: _checksum, ...content } = manifest;
  return `${JSON.stringify({ ...content, checksum: checksumOf(manifest) })}\n`;
}
