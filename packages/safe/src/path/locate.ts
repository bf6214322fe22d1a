import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { quote, refusal } from '../errors/refusal.js';
import { isInside, resolveInside } from './resolve-inside.js';

/** What a path may be, and where it may lead. */
export interface Territory {
  /** The real paths of the folders. A relative path starts at the first. */
  roots: readonly string[];
  /** The same folders, as they were given and as they are: an absolute path may begin with either. */
  prefixes?: readonly (readonly string[])[];
  /** Whether names that begin with a dot are allowed. */
  hidden: boolean;
}

/** @throws the system's error if a folder does not exist */
export function territoryOf(folders: readonly string[], absolute: boolean, hidden: boolean): Territory {
  const roots = folders.map((folder) => realpathSync(folder));
  if (!absolute) return { roots, hidden };
  const names = [...folders.map((folder) => resolve(folder)), ...roots];
  return { roots, hidden, prefixes: names.map(segmentsOf) };
}

/**
 * Returns the absolute path, without links, of what the caller named.
 *
 * @throws ToolError `TW_SAFE_PATH`
 */
export async function locate(territory: Territory, path: string): Promise<string> {
  const { base, segments } = splitPath(territory, path);
  requireVisible(territory, segments, path);
  const real = await resolveInside(territory.roots, join(base, ...segments), path);
  requireVisible(territory, relative(rootOf(territory, real), real).split(sep), path);
  return real;
}

/** The folder of the territory that contains this real path. */
export function rootOf({ roots }: Territory, real: string): string {
  return roots.find((root) => isInside(root, real))!;
}

function splitPath({ roots, prefixes }: Territory, path: string) {
  if (!prefixes || !isAbsolute(path)) return { base: roots[0]!, segments: parseRelativePath(path) };
  const given = segmentsOf(path);
  const prefix = prefixes.find((names) => names.every((name, index) => isSame(name, given[index])));
  if (!prefix) throw refusal('TW_SAFE_PATH', `The path ${quote(path)} is outside the allowed folders.`);
  const base = sep === '/' ? `/${prefix.join('/')}` : prefix.join(sep) + sep;
  return { base, segments: parseRelativePath(given.slice(prefix.length).join('/')) };
}

function segmentsOf(path: string): string[] {
  return path.split(sep === '/' ? '/' : /[\\/]/).filter((segment) => !['', '.'].includes(segment));
}

/** Windows finds `C:\Users` under `c:\users`, too. */
function isSame(left: string, right: string | undefined): boolean {
  return sep === '/' ? left === right : left.toLowerCase() === right?.toLowerCase();
}

function requireVisible({ hidden }: Territory, segments: readonly string[], path: string): void {
  if (hidden || !segments.some((segment) => segment.startsWith('.'))) return;
  throw refusal('TW_SAFE_PATH', `The path ${quote(path)} contains a hidden name, and those are not allowed.`);
}

/** How often a text is decoded to find hidden parts. Nobody encodes a name more often than that. */
const DECODINGS = 4;

/** Device names that Windows finds in every folder, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?$/i;

/**
 * Returns the segments of a relative path that stays inside its folder. This checks the text only; links are
 * checked later.
 *
 * @throws ToolError `TW_SAFE_PATH`
 */
export function parseRelativePath(input: string, platform: NodeJS.Platform = process.platform): string[] {
  if (input.includes('\0'))
    throw refusal('TW_SAFE_PATH', `The path ${quote(input)} contains a NUL character.`);
  for (const reading of readingsOf(input)) checkReading(reading, input);
  const segments = input
    .split(platform === 'win32' ? /[\\/]/ : '/')
    .filter((segment) => !['', '.'].includes(segment));
  if (platform === 'win32') for (const segment of segments) checkWindowsSegment(segment, input);
  return segments;
}

/**
 * The ways in which later code might read the text: percent-decoded several times, and with full-width or
 * other compatible forms of dots and slashes replaced. The file system does neither, but code that gets the
 * path may.
 */
function readingsOf(input: string): Set<string> {
  const readings = new Set([input]);
  let current = input;
  for (let round = 0; round < DECODINGS; round += 1) {
    readings.add(current.normalize('NFKC'));
    current = decodeLoosely(current);
    readings.add(current);
  }
  return readings;
}

/**
 * Escapes that are not UTF-8 stay. Overlong forms (`%c0%ae`) become the ASCII characters that some decoders
 * read.
 */
function decodeLoosely(text: string): string {
  const overlong = text.replace(
    /%c0%(ae|af|9c)|%c1%9c/gi,
    (escape) => ({ '%c0%ae': '.', '%c0%af': '/' })[escape.toLowerCase()] ?? '\\',
  );
  return overlong.replace(/%[0-7][0-9a-f]/gi, (escape) => String.fromCharCode(parseInt(escape.slice(1), 16)));
}

function checkReading(reading: string, input: string): void {
  const segments = reading.split(/[\\/]/);
  const absolute = /^([\\/]|[a-z]:)/i.test(reading);
  if (absolute)
    throw refusal('TW_SAFE_PATH', `The path ${quote(input)} is absolute. Give one relative to the folder.`);
  // Windows removes dots and spaces at the end, so ".. " and "..." also lead to the parent.
  const climbs = segments.some((segment) => /^\s*\.\.[. ]*\s*$/.test(segment));
  if (climbs)
    throw refusal('TW_SAFE_PATH', `The path ${quote(input)} leads out of the folder. Give one without "..".`);
  if (reading.includes('\0'))
    throw refusal('TW_SAFE_PATH', `The path ${quote(input)} contains a NUL character.`);
}

function checkWindowsSegment(segment: string, input: string): void {
  // A colon names a stream of the file, and an 8.3 name reaches a file under a second name.
  const odd = DEVICE.test(segment) || /[<>:"|?*]|[. ]$|~\d/.test(segment);
  if (odd)
    throw refusal(
      'TW_SAFE_PATH',
      `The path ${quote(input)} contains a name with a special meaning on Windows.`,
    );
}
