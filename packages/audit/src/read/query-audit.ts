import { resolve } from 'node:path';
import { parseOptions } from '@toolwright/core/options';
import { AuditError } from '../errors/audit-error.js';
import { logPaths, type LogPaths } from '../files/log-paths.js';
import type { AuditRecord } from '../record.js';
import { mergeByTime } from './merge-by-time.js';
import { queryOptions, type AuditFilter, type QueryOptions } from './reading-options.js';
import { readSince, type OnBroken } from './read-since.js';

/**
 * The sealed records of all writers that match the filter, in the order of their times. It reads the log and
 * does not verify it.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is no log
 *
 * @example
 * for await (const record of queryAudit({ file, filter: { name: 'delete_page' } })) console.log(record.principal);
 */
export async function* queryAudit(options: QueryOptions): AsyncGenerator<AuditRecord> {
  const { file, filter, onBroken } = parseOptions('queryAudit', queryOptions, options);
  const log = logPaths(resolve(file));
  const slots = await log.slots();
  if (slots.length === 0) throw new AuditError('TW_AUDIT_NOT_FOUND', `There is no audit log at ${file}.`);
  const sources = slots.map((slot) => recordsOf(log, slot, onBroken));
  for await (const record of mergeByTime(sources)) if (fits(record, filter)) yield record;
}

async function* recordsOf(
  log: LogPaths,
  slot: number,
  onBroken: OnBroken | undefined,
): AsyncGenerator<AuditRecord> {
  const position = { segment: 0, offset: 0 };
  for await (const { records } of readSince(log, slot, { position, onBroken })) yield* records;
}

/** True if the record matches every field of the filter. */
export function fits(record: AuditRecord, filter: AuditFilter): boolean {
  const { since = -Infinity, until = Infinity, subject, argumentsHmac } = filter;
  if (record.time < since || record.time >= until) return false;
  if (subject !== undefined && record.principal?.subject !== subject) return false;
  if (argumentsHmac !== undefined && record.arguments?.hmac !== argumentsHmac) return false;
  const plain = ['event', 'name', 'outcome', 'callId', 'traceId'] as const;
  return plain.every((field) => filter[field] === undefined || record[field] === filter[field]);
}
