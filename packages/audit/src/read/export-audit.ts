import { writeJson } from '@toolwright/core/transport';
import { showHidden, showHiddenInJson, wellFormed } from '@toolwright/json';
import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { AuditRecord } from '../record.js';
import { type QueryOptions, queryAudit, queryOptions } from './query-audit.js';

export interface ExportOptions extends QueryOptions {
  /** The format. Default `jsonl`. */
  format?: 'jsonl' | 'csv';
}

const exportOptions = {
  ...queryOptions,
  format: { ...optionRules.oneOf('jsonl', 'csv'), default: 'jsonl' },
} satisfies OptionSchema<ExportOptions>;

/**
 * The records that match the filter, as text for another program. Each chunk is one line (newline included).
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is not a log
 */
export async function* exportAudit(given: ExportOptions): AsyncGenerator<string> {
  const { format, ...options } = parseOptions('exportAudit', exportOptions, given);
  if (format === 'csv') yield `${columns.map(([title]) => title).join(',')}\r\n`;
  for await (const record of queryAudit(options)) {
    yield format === 'csv' ? csvLine(record) : `${showHiddenInJson(writeJson(record))}\n`;
  }
}

const columns: readonly (readonly [title: string, read: (record: AuditRecord) => unknown])[] = [
  ['time', ({ time }) => new Date(time).toISOString()],
  ['event', ({ event }) => event],
  ['operation', ({ operation }) => operation],
  ['name', ({ name }) => name],
  ['outcome', ({ outcome }) => outcome],
  ['reason', ({ reason }) => reason],
  ['detail', ({ detail }) => detail],
  ['count', ({ count }) => count],
  ['issuer', ({ principal }) => principal?.issuer],
  ['subject', ({ principal }) => principal?.subject],
  ['client_id', ({ principal }) => principal?.clientId],
  ['untrusted_client', ({ untrustedClient }) => untrustedClient?.name],
  ['duration_ms', ({ durationMs }) => durationMs],
  ['arguments_hmac', ({ arguments: digest }) => digest?.hmac],
  ['loggable', ({ loggable }) => loggable && writeJson(loggable)],
  ['result_hmac', ({ result }) => result?.hmac],
  ['result_bytes', ({ result }) => result?.bytes],
  ['contract', ({ contract }) => contract],
  ['call_id', ({ callId }) => callId],
  ['reference', ({ reference }) => reference],
  ['trace_id', ({ traceId }) => traceId],
  ['ip', ({ ip }) => ip],
  ['revision', ({ revision }) => revision],
  ['writer', ({ writer }) => writer],
  ['seq', ({ seq }) => seq],
  ['id', ({ id }) => id],
  // Programs may read the columns by their places, so a new one comes last.
  ['tenant', ({ principal }) => principal?.tenant],
];

function csvLine(record: AuditRecord): string {
  return `${columns.map(([, read]) => csvCell(read(record))).join(',')}\r\n`;
}

/**
 * Spreadsheets run a cell that begins with one of these characters as a formula, and clients choose the
 * content of some cells.
 */
const FORMULA_START = /^[=+\-@\t\r]/;

function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = showHidden(wellFormed(String(value)));
  const safe = typeof value === 'string' && FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
