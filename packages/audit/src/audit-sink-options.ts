import type { AuditFileOptions, AuditRetention, AuditRotation, Clock, Logger } from '@toolwright/core';
import { optionRules, type OptionRule, type OptionSchema } from '@toolwright/core/options';
import type { RecordSink } from './shipping/record-sink.js';

/** The options of an audit log. Only `file` is needed. */
export interface AuditSinkOptions extends AuditFileOptions {
  /** Where stored records are sent as well. */
  sinks?: readonly RecordSink[];
  /** Receives the log messages. Default: warnings and errors go to stderr. */
  logger?: Logger;
  clock?: Clock;
}

/** When the log begins a new file: the option `rotate`. */
export type RotationOptions = AuditRotation;

/** Which old files of the log are kept: the option `retain`. */
export type RetentionOptions = AuditRetention;

const { anyObject, count, either, filledText, group, listOf, milliseconds, named } = optionRules;
const { objectWith, required, secret } = optionRules;

/** Accepts Infinity, which means "no limit". */
const unlimited = (expected: string): OptionRule => ({
  expected,
  accepts: (value) => typeof value === 'number' && value > 0,
});
const bytes = unlimited('a number of bytes');
const age = unlimited('milliseconds');

const keyBytes: OptionRule = {
  expected: 'bytes',
  accepts: (value) => value instanceof Uint8Array,
};

export const rotationOptions = {
  maxBytes: { ...bytes, default: 256 * 1024 * 1024 },
  maxAgeMs: { ...age, default: Infinity },
} satisfies OptionSchema<AuditRotation>;

const retentionOptions = {
  files: { expected: 'a number of files', accepts: (value) => typeof value === 'number' && value >= 0 },
  maxAgeMs: age,
  maxBytes: bytes,
} satisfies OptionSchema<AuditRetention>;

/** Every option of the log with its rule and its default. It also checks the server's option `audit`. */
export const auditSinkOptions = {
  file: required(filledText),
  key: secret(named('a string or bytes', either(filledText, keyBytes))),
  signingKey: secret(named('a PEM text or a KeyObject', either(filledText, anyObject))),
  rotate: group(rotationOptions),
  retain: group(retentionOptions),
  claims: listOf('a list of names of claims', filledText),
  sinks: listOf('a list of sinks with ship', objectWith('a sink with ship', 'ship')),
  maxQueued: { ...named('a number of records', count), default: 10_000 },
  lingerMs: { ...milliseconds, default: 20 },
  strictTimeoutMs: { ...milliseconds, default: 5_000 },
  logger: objectWith('a logger with debug, info, warn and error', 'debug', 'info', 'warn', 'error'),
  clock: objectWith('a clock with now and after', 'now', 'after'),
} satisfies OptionSchema<AuditSinkOptions>;
