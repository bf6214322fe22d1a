import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SignedStatement } from '../chain/statement.js';
import { noLog } from '../errors/audit-error.js';
import { readHead } from '../files/head-file.js';
import { parsePublicKeys } from '../files/log-keys.js';
import { logPaths } from '../files/log-paths.js';

/**
 * The current state of each writer's chain, signed. Keep these where nobody who can write to the log can
 * change them. Pass them to `verifyAudit` later: they show whether the log and its head were both put back to
 * an earlier state.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is no log
 */
export async function currentAnchors(file: string): Promise<SignedStatement[]> {
  const log = logPaths(resolve(file));
  const slots = await log.slots();
  if (slots.length === 0) throw noLog(file);
  const keys = parsePublicKeys(await readFile(log.publicKeys, 'utf8'));
  const heads = await Promise.all(slots.map((slot) => readHead(log.writer(slot).head, keys)));
  return heads.filter((head) => head !== undefined).map(({ latest }) => latest);
}
