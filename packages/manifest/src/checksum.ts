import { createHash } from 'node:crypto';
import type { Manifest } from './manifest.js';

/**
 * SHA-256 (hex) over everything in a manifest except its `checksum`. Indentation does not matter, but the
 * order of members does. It detects damage. Somebody who can write the file can also write a new checksum, so
 * pin the checksum if that is a risk.
 */
export function checksumOf({ checksum: _checksum, ...content }: Manifest): string {
  return hashOf(JSON.stringify(content));
}

/** True if the content of a manifest file has the checksum that the file names. */
export function fitsChecksum(text: string, manifest: Manifest): boolean {
  const { checksum } = manifest;
  // A text as `formatManifest` writes it need not be written again, which takes as long as parsing it.
  const end = endWith(checksum);
  if (text.endsWith(end) && hashOf(text.slice(0, -end.length), '}') === checksum) return true;
  return checksum === checksumOf(manifest);
}

/** The text of a manifest file, with its checksum: what `parseManifest` reads. */
export function formatManifest(manifest: Manifest): string {
  const { checksum: _checksum, ...content } = manifest;
  const text = JSON.stringify(content);
  return `${text.slice(0, -1)}${endWith(hashOf(text))}`;
}

function endWith(checksum: string | undefined): string {
  return `,"checksum":"${checksum}"}\n`;
}

function hashOf(...parts: string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
