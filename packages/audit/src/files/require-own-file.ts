import { makeFolder } from '@toolwright/json';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AuditError } from '../errors/audit-error.js';
import { kindOf } from './part-files.js';

/**
 * Refuses a place where no log can be, before anything is written. The log is read again, renamed, and signed with keys
 * that lie beside it, so a pipe or a device cannot hold it: the keys of `/dev/stdout` would lie in `/dev`. A folder that is
 * missing is made.
 *
 * @throws AuditError `TW_AUDIT_UNAVAILABLE` that says what is there
 */
export async function requireOwnFile(file: string): Promise<void> {
  const found = await stat(file).catch(ifMissing);
  const kind = found && kindOf(found);
  if (kind) throw refusal(file, `is ${kind}`);
  const folder = await realpath(dirname(file)).catch(ifMissing);
  // Only new files can be in a folder that is missing.
  if (folder === undefined) return makeFolder(dirname(file));
  if (/^\/(?:dev$|dev\/fd\b|proc\b|sys\b)/.test(folder))
    throw refusal(file, `is in ${folder}, which holds no files of its own`);
  await access(folder, constants.W_OK | constants.X_OK);
}

const refusal = (file: string, reason: string) =>
  new AuditError(
    'TW_AUDIT_UNAVAILABLE',
    `The audit log ${file} cannot be opened: it ${reason}. A log needs a regular file, because it is read again and has its keys beside it. To send records elsewhere, too, add a sink (docs/audit.md).`,
  );

function ifMissing(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENXIO') return undefined;
  throw error;
}
