import type { AuditEventType } from '@toolwright/core/ports';
import { type OptionRule, type OptionSchema, optionRules } from '@toolwright/core/options';
import type { AuditRecord } from '../record.js';

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

const { oneOf, text } = optionRules;

/** Milliseconds since the epoch. Infinity and -Infinity mean "no limit". */
const time: OptionRule = {
  expected: 'milliseconds since the epoch',
  accepts: (value) => typeof value === 'number' && !Number.isNaN(value),
};

/** These options are checked, because a filter with a misspelt field would match every record. */
export const filterOptions = {
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
