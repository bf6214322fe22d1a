import type { AuditEventType } from '@toolwright/core';
import { optionRules, type OptionRule, type OptionSchema } from '@toolwright/core/options';
import type { OnBroken } from './read-since.js';

const { callback, filledText, group, oneOf, required, text } = optionRules;

/** Which records to look for; every given field must fit. */
export interface AuditFilter {
  /** Milliseconds since the epoch, inclusive. */
  since?: number;
  /** Milliseconds since the epoch, exclusive. */
  until?: number;
  event?: AuditEventType;
  /** Name of the tool, prompt or resource. */
  name?: string;
  /** The principal's subject. */
  subject?: string;
  outcome?: string;
  callId?: string;
  traceId?: string;
  /** Digest of the arguments, from `digestValue`. */
  argumentsHmac?: string;
}

export interface QueryOptions {
  /** The log, as given to `openAuditSink`. */
  file: string;
  filter?: AuditFilter;
  /** Told where the log is visibly broken: what is read there may be anybody's. Silence is no proof: `verifyAudit` is. */
  onBroken?: OnBroken;
}

/** Milliseconds since the epoch; Infinity and -Infinity are for "ever". */
const time: OptionRule = {
  expected: 'milliseconds since the epoch',
  accepts: (value) => typeof value === 'number' && !Number.isNaN(value),
};

/** A misspelt field of a filter would find every record. */
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

/** What all that reads a log is told: which log, and which records. */
export const queryOptions = {
  file: required(filledText),
  filter: { ...group(filterOptions), default: {} },
  onBroken: callback,
} satisfies OptionSchema<QueryOptions>;
