import { quote, refusal } from '../errors/refusal.js';
import { escapes } from './resolve-inside.js';

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
 * and so does a mistake of the author, which is no error of the system.
 *
 * @param subject the beginning of the sentence; default: the path
 */
export function describeFailure(error: unknown, path: string, subject = quote(path)): Error {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error as Error;
  if (code === 'ELOOP') return escapes(path, error);
  return refusal('TW_SAFE_FILE', `${subject} ${REASONS[code ?? ''] ?? 'cannot be opened'}.`, error);
}
