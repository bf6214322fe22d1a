import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { type AnyOptionSchema, findOptionProblems, optionProblem } from '../../base/options/option-schema.js';
import type { AuditFileOptions, AuditSink } from '../../ports/audit-sink.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import { importModule } from '../classes/import-module.js';

const PACKAGE = '@toolwright/audit';
import { locatePackage } from '../extensions/load-packages.js';

/**
 * What core uses of the audit package. Core does not depend on it, and loads it only if the options name a
 * file.
 */
interface AuditPackage {
  auditSinkOptions: AnyOptionSchema;
  openAuditSink(options: AuditFileOptions & { logger: Logger; clock: Clock }): Promise<AuditSink>;
}

type AuditOption = AuditSink | AuditFileOptions | false | undefined;

/** A function that opens the sink for the option `audit`, or what is wrong with the option. */
export interface AuditOpening {
  readonly problems: readonly ConfigurationProblem[];
  open(ports: { logger: Logger; clock: Clock }): Promise<AuditSink | false>;
}

/** @param application the file that created the server */
export async function prepareAudit(
  option: AuditOption,
  application: string | undefined,
): Promise<AuditOpening> {
  if (!namesFile(option)) return { problems: [], open: async () => option || false };
  const path = locatePackage(PACKAGE, application);
  if (path === undefined) return { problems: [missingPackage], open: async () => false };
  const { auditSinkOptions, openAuditSink } = (await importModule(path)) as unknown as AuditPackage;
  const faults = findOptionProblems(auditSinkOptions, option, { owner: 'createMcpServer', path: 'audit' });
  return {
    problems: faults.map(optionProblem),
    open: ({ logger, clock }) => openAuditSink({ logger, clock, ...option }),
  };
}

function namesFile(option: AuditOption): option is AuditFileOptions {
  return typeof option === 'object' && option !== null && 'file' in option && !('write' in option);
}

const missingPackage: ConfigurationProblem = {
  code: 'TW_AUDIT_MISSING',
  message: `The option audit: { file } needs the package ${PACKAGE}, which is not installed.`,
  fix: `Run \`npm install ${PACKAGE}\`, or pass your own sink as audit.`,
};
