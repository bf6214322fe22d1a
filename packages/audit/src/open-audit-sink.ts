import { endsWithin, ONLY_INSPECTED, reasonOf } from '@toolwright/json';
import {
  type AuditFileOptions,
  type AuditRetention,
  type AuditRotation,
  type AuditSink,
  type Clock,
  type Logger,
  loggerRule,
  stderrLogger,
  systemClock,
} from '@toolwright/core/ports';
import {
  type OptionRule,
  type OptionSchema,
  type WithDefaults,
  optionRules,
  parseOptions,
  withDefaults,
} from '@toolwright/core/options';
import { resolve } from 'node:path';
import { JsonlAuditSink } from './commit/jsonl-audit-sink.js';
import { LogWriter } from './commit/log-writer.js';
import { retireSegments } from './commit/retention.js';
import { AuditError } from './errors/audit-error.js';
import { type ClaimedSlot, claimSlot } from './files/claim-slot.js';
import { openKeys } from './files/log-keys.js';
import { logPaths } from './files/log-paths.js';
import { type LogStorage, diskStorage } from './files/log-storage.js';
import { recoverChain } from './files/recover-chain.js';
import { requireOwnFile } from './files/require-own-file.js';
import type { RecordSink } from './shipping/record-sink.js';
import { Shipper } from './shipping/shipper.js';

/**
 * Opens the log for this process. It continues the chain where the last process stopped, and records that it
 * did so.
 *
 * @throws AuditError `TW_AUDIT_UNAVAILABLE` if the log cannot be written, `TW_AUDIT_OPTIONS` for a bad key
 *
 * @example
 * const audit = await openAuditSink({ file: 'var/audit.jsonl' });
 * const server = await createMcpServer({ name: 'pages', version: '1.0.0', services: [PageTools], audit });
 */
export function openAuditSink(options: AuditSinkOptions): Promise<AuditSink> {
  return openAuditSinkOn(diskStorage, options);
}

/** The same, with a storage of your own. Tests use it for full and slow disks. */
export async function openAuditSinkOn(storage: LogStorage, given: AuditSinkOptions): Promise<AuditSink> {
  const options = parseOptions('openAuditSink', auditSinkOptions, given);
  const file = resolve(options.file);
  if (ONLY_INSPECTED in globalThis) return unwritten(options);
  let slot: ClaimedSlot | undefined;
  try {
    await requireOwnFile(file);
    slot = await claimSlot(logPaths(file));
    return await assemble({ ...options, file }, storage, slot);
  } catch (error) {
    await slot?.release();
    if (error instanceof AuditError) throw error;
    throw new AuditError(
      'TW_AUDIT_UNAVAILABLE',
      `The audit log ${file} cannot be opened: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

/** A process that serves nobody has nothing to record, and must not take part in the log of a server. */
const unwritten = ({ claims }: AuditSinkOptions): AuditSink => ({
  ...(claims && { claims }),
  write: () => undefined,
  flush: async () => undefined,
  close: async () => undefined,
});

/**
 * A sink that does not answer must not keep the process from ending. It gets its records after the next
 * start.
 */
const SHIPPING_MS = 5_000;

async function assemble(
  options: WithDefaults<AuditSinkOptions, typeof auditSinkOptions>,
  storage: LogStorage,
  slot: ClaimedSlot,
): Promise<AuditSink> {
  const { clock = systemClock, logger = stderrLogger() } = options;
  const rotate = withDefaults(rotationOptions, options.rotate ?? {});
  const retain = withDefaults(retentionOptions, options.retain ?? {});
  const log = logPaths(options.file);
  const { paths } = slot;
  const { hmac, signer, signingKey } = await openKeys(log, options);
  const recovered = await recoverChain(log, { paths, key: hmac });
  if (recovered.findings.damage)
    logger.error({ ...recovered.findings, file: paths.current }, 'The audit log was found damaged');
  const writer = await LogWriter.open(
    { paths, storage, signer, key: hmac, signingKey, clock, logger, rotate },
    recovered,
  );

  const shipping = { log, slot: paths.slot, clock, logger, committed: () => writer.chain };
  const shippers = await Promise.all((options.sinks ?? []).map((sink) => Shipper.open(sink, shipping)));
  const firstUnshipped = () => Math.min(Infinity, ...shippers.map(({ segment }) => segment));
  const retention = { log, slot: paths.slot, storage, clock, retain, firstUnshipped };

  let whyNotRotated: string | undefined;

  return new JsonlAuditSink(writer, {
    file: options.file,
    ...(options.claims && { claims: options.claims }),
    key: hmac,
    subjects: options.subjects,
    clock,
    logger,
    maxQueued: options.maxQueued,
    lingerMs: options.linger,
    strictTimeoutMs: options.strictTimeout,
    async afterCommit() {
      for (const shipper of shippers) shipper.wake();
      if (!writer.rotationDue) return;
      try {
        await writer.rotate();
        await retireSegments(writer, retention);
        whyNotRotated = undefined;
      } catch (error) {
        // The records are safe; only the file keeps growing. Each commit tries again, and says only what is new.
        const reason = reasonOf(error);
        if (reason !== whyNotRotated) logger.error({ reason }, 'The audit log could not be rotated');
        whyNotRotated = reason;
      }
    },
    shipped: () => endsWithin(SHIPPING_MS, clock, Promise.all(shippers.map((shipper) => shipper.settled()))),
    async afterClose() {
      await Promise.all(shippers.map((shipper) => shipper.close()));
      await slot.release();
    },
  });
}

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

const { anyDuration, anyObject, count, durationToInfinity, either, filledText, group, listOf, named } =
  optionRules;
const { objectWith, oneOf, required, secret, shortPause } = optionRules;

/** Accepts Infinity, which means "no limit". */
const unlimited = (expected: string): OptionRule => ({
  expected,
  accepts: (value) => typeof value === 'number' && value > 0,
});
const bytes = unlimited('a number of bytes');

const rotationOptions = {
  maxBytes: { ...bytes, default: 256 * 1024 * 1024 },
  maxAge: { ...durationToInfinity, default: Infinity },
} satisfies OptionSchema<AuditRotation>;

export const retentionOptions = {
  files: { expected: 'a number of files', accepts: (value) => typeof value === 'number' && value >= 0 },
  maxAge: anyDuration,
  maxBytes: bytes,
} satisfies OptionSchema<AuditRetention>;

/** A shell reads `~`, and `fetch` reads `file:`. Here either would be the name of a new folder. */
const logFile: OptionRule = {
  expected: "a path such as 'var/audit.jsonl', without ~ and file:",
  accepts: (value) => filledText.accepts(value) && !/^(?:~[\\/]|file:)/.test(value as string),
};

/** Every option of the log with its rule and its default. It also checks the server's option `audit`. */
export const auditSinkOptions = {
  file: required(logFile),
  key: secret(named('a string or bytes', either(filledText, optionRules.bytes))),
  signingKey: secret(named('a PEM text or a KeyObject', either(filledText, anyObject))),
  rotate: group(rotationOptions),
  retain: group(retentionOptions),
  claims: listOf('a list of names of claims', filledText),
  subjects: { ...oneOf('plain', 'digest'), default: 'plain' },
  sinks: listOf('a list of sinks with ship', objectWith('a sink with ship', 'ship')),
  maxQueued: { ...named('a number of records', count), default: 10_000 },
  linger: { ...shortPause, default: 20 },
  strictTimeout: { ...durationToInfinity, default: 5_000 },
  logger: loggerRule,
  clock: optionRules.clock,
} satisfies OptionSchema<AuditSinkOptions>;
