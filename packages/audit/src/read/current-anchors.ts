import { resolve } from 'node:path';
import type { SignedStatement } from '../chain/statement.js';
import { AuditError } from '../errors/audit-error.js';
import { readHead } from '../files/head-file.js';
import { readPublicKeys } from '../files/log-keys.js';
import { logPaths, slotsOf } from '../files/log-paths.js';
import { someLogFiles } from './log-sources.js';

/**
 * The current state of each writer's chain, signed. Keep these where nobody who can write to the log can
 * change them. Pass them to `verifyAudit` or `verifyLogs` later: they show whether the log and its head were both put back
 * to an earlier state.
 *
 * @param file the file of the log, or a list of files and patterns
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if one of the logs is not there, or has no signed head
 */
export async function currentAnchors(file: string | readonly string[]): Promise<SignedStatement[]> {
  const files = await someLogFiles(file);
  return (await Promise.all(files.map(anchorsOf))).flat();
}

async function anchorsOf(file: string): Promise<SignedStatement[]> {
  const log = logPaths(resolve(file));
  const slots = await slotsOf(log, file);
  const keys = await readPublicKeys(log);
  const heads = await Promise.all(slots.map((slot) => readHead(log.writer(slot).head, keys)));
  return heads.map((head, at) => {
    if (head) return head.latest;
    const path = log.writer(slots[at]!).head;
    throw new AuditError(
      'TW_AUDIT_NOT_FOUND',
      `${path} has no head that a key of ${log.publicKeys} signed, so there is nothing to keep. See toolwright audit verify.`,
    );
  });
}
