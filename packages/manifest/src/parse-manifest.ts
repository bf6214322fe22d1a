import { getOrMake, isObject } from '@toolwright/json';
import { checksumOf, fitsChecksum } from './checksum.js';
import { MANIFEST_FORMAT, type Manifest, type ManifestEntry } from './manifest.js';

/** Thrown for a manifest that cannot be used. The message says why, and which command fixes it. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  readonly code = 'TW_MANIFEST_INVALID';
}

/**
 * Parses the text of a manifest file. It checks its checksum, and its form as far as needed to read it
 * safely.
 *
 * @param text content of the file
 * @param source where the text comes from, for messages
 * @throws {ManifestError} if it is not JSON, not a manifest, in another version of the format, or damaged
 */
export function parseManifest(text: string, source: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ManifestError(`${source} is not JSON. Run \`toolwright build\` again.`);
  }
  const manifest = checkForm(value, source);
  if (!fitsChecksum(text, manifest)) throw damaged(source);
  shareParts(manifest.entries);
  return manifest;
}

/**
 * `JSON.parse` makes a new string each time that it reads a text, and a server keeps its manifest. Methods of a file or of a
 * class have these parts in common: one for all of them spares about 200 bytes a tool.
 */
function shareParts(entries: readonly ManifestEntry[]): void {
  const texts = new Map<string, string>();
  const shared = (text: string) => getOrMake(texts, text, () => text);
  const kinds = new Map<string, ManifestEntry['kinds']>();
  for (const entry of entries) {
    // Only the form of the list itself has been checked.
    if (!isObject(entry)) continue;
    for (const name of ['class', 'input', 'output', 'shape'] as const) {
      const text = entry[name];
      if (typeof text === 'string') entry[name] = shared(text);
    }
    const { location, revive, kinds: own } = entry;
    if (isObject(location)) location.file = shared(location.file);
    if (isObject(revive) && Object.keys(revive).length === 0) entry.revive = NOTHING_TO_REVIVE;
    if (Array.isArray(own) && own.length === 1) entry.kinds = getOrMake(kinds, own[0]!, () => own);
  }
}

const NOTHING_TO_REVIVE: ManifestEntry['revive'] = Object.freeze({});

/**
 * Checks a parsed manifest: its form, as far as needed to read it safely, and its checksum if it has one.
 *
 * @param source where it comes from, for messages
 * @throws {ManifestError} if it is not a manifest, in another version of the format, or damaged
 */
export function checkManifest(value: unknown, source: string): Manifest {
  const manifest = checkForm(value, source);
  if (manifest.checksum !== undefined && manifest.checksum !== checksumOf(manifest)) throw damaged(source);
  return manifest;
}

function damaged(source: string): ManifestError {
  return new ManifestError(
    `${source} is damaged or was edited: its content does not fit its checksum. Run \`toolwright build\` again.`,
  );
}

function checkForm(value: unknown, source: string): Manifest {
  if (!isObject(value) || typeof value.format !== 'number') {
    throw new ManifestError(
      `${source} is not a Toolwright manifest: it has no "format". Run \`toolwright build\`.`,
    );
  }
  if (value.format !== MANIFEST_FORMAT) {
    throw new ManifestError(
      `${source} has manifest format ${value.format}, this version reads ${MANIFEST_FORMAT}. Run \`toolwright build\` again.`,
    );
  }
  if (!isObject(value.schemas) || !isObject(value.classes) || !Array.isArray(value.entries)) {
    throw new ManifestError(
      `${source} is incomplete: expected schemas, classes and entries. Run \`toolwright build\` again.`,
    );
  }
  return value as unknown as Manifest;
}
