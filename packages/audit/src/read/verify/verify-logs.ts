import { type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import { noLog } from '../../errors/audit-error.js';
import { logFiles } from '../log-sources.js';
import { type VerifyOptions, compareLogs, verifyFiles } from './verify-audit.js';
import type { VerifiedLog } from './verify-writer.js';
import type { AuditVerdict, LogsReport } from './verify-report.js';

export interface VerifyLogsOptions extends Pick<VerifyOptions, 'anchors' | 'onProgress'> {
  /** Files and patterns, as for `queryAudit`. */
  files: readonly string[];
  /** The public keys to trust for a log, as for `verifyAudit`. A key that lies in the folder of a log proves nothing about it. */
  publicKeyOf?: (file: string) => Promise<VerifyOptions['publicKey']>;
}

const { anyObject, callback, filledText, listOf, required } = optionRules;

const verifyLogsOptions = {
  files: required(listOf('a list of files', filledText)),
  anchors: listOf('a list of checkpoints', anyObject),
  publicKeyOf: callback,
  onProgress: callback,
} satisfies OptionSchema<VerifyLogsOptions>;

/** The worst comes first. */
const verdicts: readonly AuditVerdict[] = ['broken', 'consistent', 'genuine'];

/**
 * Verifies several logs, each as `verifyAudit` does, and compares them: two that have different records of one writer with the
 * same number are both broken. An anchor must be in one of them.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is none of the logs
 *
 * @example
 * const { verdict, reports, missing } = await verifyLogs({ files: ['logs/*\/audit.jsonl'] });
 */
export async function verifyLogs(options: VerifyLogsOptions): Promise<LogsReport> {
  const {
    files: given,
    anchors,
    publicKeyOf,
    onProgress,
  } = parseOptions('verifyLogs', verifyLogsOptions, options);
  const { files, missing } = await logFiles(given);
  if (files.length === 0) throw noLog(missing[0]!);
  const logs: VerifiedLog[] = [];
  for (const file of files) {
    const publicKey = await publicKeyOf?.(file);
    logs.push(
      await verifyFiles({
        file,
        ...(publicKey && { publicKey }),
        ...(anchors && { anchors }),
        ...(onProgress && { onProgress }),
      }),
    );
  }
  await compareLogs(logs, anchors);
  const reports = logs.map(({ report }, at) => ({ file: files[at]!, ...report }));
  const found = new Set(reports.map(({ verdict }) => verdict));
  const verdict = missing.length > 0 ? 'broken' : verdicts.find((each) => found.has(each))!;
  return { verdict, reports, missing: missing.map((file) => noLog(file).message) };
}
