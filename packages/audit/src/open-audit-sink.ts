import type { KeyObject } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemClock, type AuditSink, type Clock, type Logger } from '@toolwright/core';
import { JsonlAuditSink } from './commit/jsonl-audit-sink.js';
import { LogWriter, type RotationOptions } from './commit/log-writer.js';
import { retireSegments, type RetentionOptions } from './commit/retention.js';
import { AuditError, reasonOf } from './errors/audit-error.js';
import { claimSlot, type ClaimedSlot } from './files/claim-slot.js';
import { openKeys } from './files/log-keys.js';
import { logPaths } from './files/log-paths.js';
import { diskStorage, type LogStorage } from './files/log-storage.js';
import { recoverChain } from './files/recover-chain.js';
import type { RecordSink } from './shipping/record-sink.js';
import { Shipper } from './shipping/shipper.js';

/** How an audit log is kept. Only `file` is needed. */
export interface AuditSinkOptions {
  /** The log; its directory is made if need be. Other files of the log lie beside it and share its name. */
  file: string;
  /**
   * Secret of the HMACs of arguments and results, at least 16 bytes. Without it a random one is made and kept beside
   * the log, readable by its owner only.
   */
  key?: string | Uint8Array;
  /** Ed25519 private key (PKCS#8 PEM or KeyObject) that signs the chain. Without it one is made and kept as above. */
  signingKey?: string | KeyObject;
  rotate?: RotationOptions;
  /** Default: nothing is ever deleted. */
  retain?: RetentionOptions;
  /** Where stored records are sent as well. */
  sinks?: readonly RecordSink[];
  /** Records that may wait before `buffered` writes hold their callers up. Default 10,000. */
  maxQueued?: number;
  /** How long a buffered record waits for others to share its disk write with. Default 20 ms. */
  lingerMs?: number;
  /** How long a `strict` write may take before it is refused. Default 5,000 ms. */
  strictTimeoutMs?: number;
  /** Default: warnings and errors go to stderr. */
  logger?: Logger;
  clock?: Clock;
}

/**
 * Opens the log for this process, takes up its chain where the last process left it, and records that it did.
 *
 * @throws AuditError `TW_AUDIT_UNAVAILABLE` if it cannot be written, `TW_AUDIT_OPTIONS` for a bad key
 *
 * @example
 * const audit = await openAuditSink({ file: 'var/audit.jsonl' });
 * const server = await createMcpServer({ name: 'pages', version: '1.0.0', services: [PageTools], audit });
 */
export function openAuditSink(options: AuditSinkOptions): Promise<AuditSink> {
  return openAuditSinkOn(diskStorage, options);
}

/** The same on a disk of one's own making: how tests bring full and slow ones. */
export async function openAuditSinkOn(storage: LogStorage, options: AuditSinkOptions): Promise<AuditSink> {
  const file = resolve(options.file);
  let slot: ClaimedSlot | undefined;
  try {
    await mkdir(dirname(file), { recursive: true });
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

async function assemble(
  options: AuditSinkOptions,
  storage: LogStorage,
  slot: ClaimedSlot,
): Promise<AuditSink> {
  const { clock = systemClock, logger = stderrLogger, rotate = {}, retain = {} } = options;
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

  return new JsonlAuditSink(writer, {
    key: hmac,
    clock,
    logger,
    maxQueued: options.maxQueued ?? 10_000,
    lingerMs: options.lingerMs ?? 20,
    strictTimeoutMs: options.strictTimeoutMs ?? 5_000,
    async afterCommit() {
      for (const shipper of shippers) shipper.wake();
      if (!writer.rotationDue) return;
      try {
        await writer.rotate();
        await retireSegments(writer, retention);
      } catch (error) {
        // The records are safe; the file just grows on.
        logger.error({ reason: reasonOf(error) }, 'The audit log could not be rotated');
      }
    },
    async afterClose() {
      await Promise.all(shippers.map((shipper) => shipper.close()));
      await slot.release();
    },
  });
}

const stderrLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => console.error(message, fields),
  error: (fields, message) => console.error(message, fields),
};
