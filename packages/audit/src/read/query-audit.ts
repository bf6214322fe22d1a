import { type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import type { AuditRecord } from '../record.js';
import { type AuditFilter, filterOptions, fits } from './audit-filter.js';
import { type AuditLog, logsRule, writersOf } from './log-sources.js';
import { mergeRecords, type OnNote } from './merge-records.js';
import type { OnBroken } from './read-since.js';

/**
 * The sealed records of all writers that match the filter, in the order of their times. It reads the log and
 * does not verify it. Of several logs, memory holds one batch for each writer, whatever their sizes are.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is not a log, or if one of several is missing and nobody listens with `onBroken`
 *
 * @example
 * for await (const record of queryAudit({ file, filter: { name: 'delete_page' } })) console.log(record.principal);
 * for await (const record of queryAudit({ file: ['a/audit.jsonl', 'b/audit.jsonl'], onNote: console.warn })) console.log(record.name);
 */
export async function* queryAudit(options: QueryOptions): AsyncGenerator<AuditRecord> {
  const { file, filter, onBroken, onNote } = parseOptions('queryAudit', queryOptions, options);
  const writers = await writersOf(file, { filter, onBroken });
  for await (const record of mergeRecords(writers, { onBroken, onNote }))
    if (fits(record, filter)) yield record;
}

const { callback, group, required } = optionRules;

export interface QueryOptions {
  /**
   * The file of the log, as it was passed to `openAuditSink`. Or a list: the logs of several replicas, patterns such as
   * `logs/*\/audit.jsonl`, and tables (`auditTable` of `@toolwright/postgres`).
   */
  file: AuditLog | readonly AuditLog[];
  filter?: AuditFilter;
  /**
   * Is called where the log is visibly damaged; anybody may have written what is read there. If it is not
   * called, this proves nothing. Only `verifyAudit` proves something.
   */
  onBroken?: OnBroken;
  /** Is called for each fact that is not damage: a writer whose beginning is elsewhere, or clocks that differ. */
  onNote?: OnNote;
}

/** The options of all functions that read a log: which log, and which records. */
export const queryOptions = {
  file: required(logsRule),
  filter: { ...group(filterOptions), default: {} },
  onBroken: callback,
  onNote: callback,
} satisfies OptionSchema<QueryOptions>;
