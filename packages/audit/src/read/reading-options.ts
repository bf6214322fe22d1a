import { optionRules, type OptionRule, type OptionSchema } from '@toolwright/core';
import type { AuditFilter, QueryOptions } from './query-audit.js';

const { callback, filledText, group, oneOf, required, text } = optionRules;

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
