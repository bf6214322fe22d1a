import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { quote, refusal } from '../errors/refusal.js';

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/**
 * Resolves the links of `target` as far as it exists.
 *
 * A link whose target cannot be reached is refused like a link that leads out: whoever creates the file would
 * follow it. The parent is always judged before the name, so the answers for a place outside are the same
 * whether something exists there or not.
 *
 * @throws ToolError `TW_SAFE_PATH` if it is outside of all `roots`
 */
export async function resolveInside(roots: readonly string[], target: string, path: string): Promise<string> {
  try {
    return requireInside(roots, await realpath(target), path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'TW_SAFE_PATH' || dirname(target) === target) throw error;
    const place = join(await resolveInside(roots, dirname(target), path), basename(target));
    if (await isLink(place)) throw escapes(path, error);
    if (code === 'ENOENT') return requireInside(roots, place, path);
    throw refusal('TW_SAFE_PATH', `The path ${quote(path)} cannot be followed.`, error);
  }
}

export function escapes(path: string, cause?: unknown) {
  return refusal('TW_SAFE_PATH', `The path ${quote(path)} leads out of the folder.`, cause);
}

function requireInside(roots: readonly string[], real: string, path: string): string {
  if (!roots.some((root) => isInside(root, real))) throw escapes(path);
  return real;
}

function isLink(place: string): Promise<boolean> {
  return lstat(place).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

const REASONS: Record<string, string> = {
  ENOENT: 'does not exist',
  EEXIST: 'exists already',
  ENOTEMPTY: 'exists already',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not a folder',
  EACCES: 'may not be accessed',
  EPERM: 'may not be changed',
  EROFS: 'may not be changed',
  ENXIO: 'is not a file',
  EINVAL: 'cannot be moved into itself',
  EXDEV: 'cannot be moved to another disk',
  ENOSPC: 'cannot be written: the disk is full',
};

/**
 * Turns an error of the system into one that the model reads. A refusal stays as it is,
 * and so does a mistake of the author, which is not an error of the system.
 *
 * @param subject the beginning of the sentence; default: the path
 */
export function describeFailure(error: unknown, path: string, subject = quote(path)): Error {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error as Error;
  if (code === 'ELOOP') return escapes(path, error);
  return refusal('TW_SAFE_FILE', `${subject} ${REASONS[code ?? ''] ?? 'cannot be opened'}.`, error);
}
