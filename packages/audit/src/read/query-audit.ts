import type { AuditEventType } from '@toolwright/core/ports';
import { type OptionRule, type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import { resolve } from 'node:path';
import { AuditError } from '../errors/audit-error.js';
import { type LogPaths, logPaths } from '../files/log-paths.js';
import type { AuditRecord } from '../record.js';
import { type OnBroken, readSince } from './read-since.js';

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
  const { since = -Infinity, until = Infinity, subject, tenant, argumentsHmac } = filter;
  if (record.time < since || record.time >= until) return false;
  if (subject !== undefined && record.principal?.subject !== subject) return false;
  if (tenant !== undefined && record.principal?.tenant !== tenant) return false;
  if (argumentsHmac !== undefined && record.arguments?.hmac !== argumentsHmac) return false;
  const plain = ['event', 'name', 'outcome', 'callId', 'traceId', 'parent', 'program'] as const;
  return plain.every((field) => filter[field] === undefined || record[field] === filter[field]);
}

const { callback, filledText, group, oneOf, required, text } = optionRules;

/** Which records to look for. A record must match every given field. */
export interface AuditFilter {
  /** Milliseconds since the epoch, inclusive. */
  since?: number;
  /** Milliseconds since the epoch, exclusive. */
  until?: number;
  event?: AuditEventType;
  /** The name of the tool, prompt or resource. */
  name?: string;
  /** The principal's subject. */
  subject?: string;
  /** The principal's tenant. */
  tenant?: string;
  outcome?: string;
  callId?: string;
  traceId?: string;
  /** The id of the call inside of which the calls were made. */
  parent?: string;
  /** The SHA-256 (hex) of the program that made the calls. */
  program?: string;
  /** The digest of the arguments, from `digestValue`. */
  argumentsHmac?: string;
}

export interface QueryOptions {
  /** The file of the log, as it was passed to `openAuditSink`. */
  file: string;
  filter?: AuditFilter;
  /**
   * Is called where the log is visibly damaged; anybody may have written what is read there. If it is not
   * called, this proves nothing. Only `verifyAudit` proves something.
   */
  onBroken?: OnBroken;
}

/** Milliseconds since the epoch. Infinity and -Infinity mean "no limit". */
const time: OptionRule = {
  expected: 'milliseconds since the epoch',
  accepts: (value) => typeof value === 'number' && !Number.isNaN(value),
};

/** These options are checked, because a filter with a misspelt field would match every record. */
const filterOptions = {
  since: time,
  until: time,
  event: oneOf('intent', 'outcome', 'denied', 'limited', 'confirmed'),
  name: text,
  subject: text,
  tenant: text,
  outcome: text,
  callId: text,
  traceId: text,
  parent: text,
  program: text,
  argumentsHmac: text,
} satisfies OptionSchema<AuditFilter>;

/** The options of all functions that read a log: which log, and which records. */
export const queryOptions = {
  file: required(filledText),
  filter: { ...group(filterOptions), default: {} },
  onBroken: callback,
} satisfies OptionSchema<QueryOptions>;

/** Merges the records of several writers by time. The order within each writer stays. */
async function* mergeByTime(sources: readonly AsyncGenerator<AuditRecord>[]): AsyncGenerator<AuditRecord> {
  const heads = new Map<AsyncGenerator<AuditRecord>, AuditRecord>();
  const advance = async (source: AsyncGenerator<AuditRecord>): Promise<void> => {
    const next = await source.next();
    if (next.done) heads.delete(source);
    else heads.set(source, next.value);
  };
  try {
    for (const source of sources) await advance(source);
    while (heads.size > 0) {
      const [source, record] = [...heads].reduce((a, b) => (b[1].time < a[1].time ? b : a));
      yield record;
      await advance(source);
    }
  } finally {
    for (const source of sources) await source.return(undefined);
  }
}
