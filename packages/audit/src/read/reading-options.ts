import type { AuditEventType } from '@toolwright/core';
import { optionRules, type OptionRule, type OptionSchema } from '@toolwright/core/options';
import type { OnBroken } from './read-since.js';

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
  outcome?: string;
  callId?: string;
  traceId?: string;
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
  outcome: text,
  callId: text,
  traceId: text,
  argumentsHmac: text,
} satisfies OptionSchema<AuditFilter>;

/** The options of all functions that read a log: which log, and which records. */
export const queryOptions = {
  file: required(filledText),
  filter: { ...group(filterOptions), default: {} },
  onBroken: callback,
} satisfies OptionSchema<QueryOptions>;
