import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { quote, refusal } from '../errors/refusal.js';
import { parseRelativePath } from './parse-relative-path.js';
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
