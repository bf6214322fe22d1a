import { createPublicKey, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import { keyId, type SignedStatement } from '../../chain/statement.js';
import { AuditError } from '../../errors/audit-error.js';
import { parsePublicKeys, readPublicKeys } from '../../files/log-keys.js';
import { logPaths, type LogPaths, slotsOf } from '../../files/log-paths.js';
import { findForks } from './find-forks.js';
import type { VerifyReport } from './verify-report.js';
import { sizeOfWriter, type VerifiedLog, verifyWriter, type VerifyEnvironment } from './verify-writer.js';

export interface VerifyOptions {
  /** The file of the log, as it was passed to `openAuditSink`. */
  file: string;
  /**
   * The trusted Ed25519 public key or keys (PEM). They must come from outside the log's folder. Without them,
   * the best possible verdict is `consistent`.
   */
  publicKey?: string | KeyObject;
  /** Checkpoints that were kept elsewhere. The log must contain each of them. */
  anchors?: readonly SignedStatement[];
  /** Is called from time to time with the bytes that are done and the total bytes. */
  onProgress?: (done: number, total: number) => void;
}

const { anyObject, callback, either, filledText, listOf, named, required } = optionRules;

const verifyOptions = {
  file: required(filledText),
  publicKey: named('a PEM text or a KeyObject', either(filledText, anyObject)),
  anchors: listOf('a list of checkpoints', anyObject),
  onProgress: callback,
} satisfies OptionSchema<VerifyOptions>;

const MAX_PROBLEMS = 100;
const PROGRESS_STEP = 16 * 1024 * 1024;

/**
 * Reads the whole log and checks every byte of it: the hashes and links of all batches, the signatures of the
 * checkpoints and of the head, and that nothing is missing between the first file and the last. It may run
 * while the log is being written. docs/audit.md lists what it cannot find out.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is no log, `TW_AUDIT_OPTIONS` if the public key is not a
 *   key
 */
export async function verifyAudit(options: VerifyOptions): Promise<VerifyReport> {
  const verified = await verifyFiles(options);
  await compareLogs([verified], options.anchors);
  return verified.report;
}

/** Verifies one log by itself. */
export async function verifyFiles(options: VerifyOptions): Promise<VerifiedLog> {
  parseOptions('verifyAudit', verifyOptions, options);
  const log = logPaths(resolve(options.file));
  const slots = await slotsOf(log, options.file);
  const trust = options.publicKey ? 'given' : 'beside the log';
  const report: VerifyReport = {
    verdict: trust === 'given' ? 'genuine' : 'consistent',
    ok: true,
    records: 0,
    bytes: 0,
    trust,
    writers: [],
    problems: [],
    notes: [],
  };
  const environment: VerifyEnvironment = {
    log,
    keys: await publicKeys(log, options.publicKey),
    anchors: options.anchors ?? [],
    problem(problem) {
      report.ok = false;
      report.verdict = 'broken';
      if (report.problems.length < MAX_PROBLEMS) report.problems.push(problem);
    },
    note: (text) => report.notes.push(text),
    progress: progressOf(report, await totalOf(log, slots), options.onProgress),
  };
  for (const slot of withoutGaps(slots)) {
    const writer = await verifyWriter(slot, environment);
    report.writers.push(writer);
    report.records += writer.records;
  }
  return { report, environment };
}

/** Slots are taken in order. If there is a third writer, there was a second one. */
function withoutGaps(slots: readonly number[]): number[] {
  return Array.from({ length: slots.at(-1)! + 1 }, (_, slot) => slot);
}

/** Finds out what each log alone does not show. What is wrong is a problem of each log that it is about. */
export async function compareLogs(
  logs: readonly VerifiedLog[],
  anchors: readonly SignedStatement[] = [],
): Promise<void> {
  const writers = new Set(logs.flatMap(({ report }) => report.writers.map(({ writer }) => writer)));
  for (const { writer, batch } of anchors.filter((anchor) => !writers.has(anchor.writer))) {
    const message = `a statement kept elsewhere names batch ${batch} of writer ${writer}, which has no file here`;
    for (const { environment } of logs)
      environment.problem({ kind: 'anchor', message, file: environment.log.writer(0).current });
  }
  await findForks(logs);
}

async function publicKeys(
  log: LogPaths,
  given: string | KeyObject | undefined,
): Promise<Map<string, KeyObject>> {
  if (typeof given === 'string') {
    const keys = parsePublicKeys(given);
    if (keys.size > 0) return keys;
    throw new AuditError('TW_AUDIT_OPTIONS', 'The trusted public key must be a PEM text with a PUBLIC KEY.');
  }
  if (given) {
    const key = given.type === 'private' ? createPublicKey(given) : given;
    return new Map([[keyId(key), key]]);
  }
  return readPublicKeys(log);
}

async function totalOf(log: LogPaths, slots: readonly number[]): Promise<number> {
  const sizes = await Promise.all(slots.map((slot) => sizeOfWriter(log, slot)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function progressOf(report: VerifyReport, total: number, onProgress: VerifyOptions['onProgress']) {
  let reported = 0;
  return (bytes: number): void => {
    report.bytes += bytes;
    if (!onProgress || (report.bytes - reported < PROGRESS_STEP && report.bytes < total)) return;
    reported = report.bytes;
    onProgress(report.bytes, Math.max(total, report.bytes));
  };
}
