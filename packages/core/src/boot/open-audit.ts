import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ConfigurationError } from '../errors/configuration-error.js';
import type { AuditSink } from '../ports/audit-sink.js';
import { importModule } from './import-module.js';

/** Options of the durable sink of `@toolwright/audit`; see there for the others. */
export interface AuditFileOptions {
  /** Path of the log, relative to the working directory. */
  file: string;
  [option: string]: unknown;
}

const PACKAGE = '@toolwright/audit';

/**
 * The sink that an `audit` option stands for. `@toolwright/audit` is loaded here and only when a file is named: core
 * does not depend on it.
 *
 * @param application the file that asked for a server
 * @throws {ConfigurationError} when the package is needed and not installed
 */
export async function openAudit(
  option: AuditSink | AuditFileOptions | false | undefined,
  application: string | undefined,
): Promise<AuditSink | false> {
  if (!option) return false;
  if (typeof (option as AuditSink).write === 'function') return option as AuditSink;
  const { openAuditSink } = await importModule(locateAudit(application));
  return (openAuditSink as (options: unknown) => Promise<AuditSink>)(option);
}

/** With strict package folders core does not see what only the application installed: that one is asked first. */
function locateAudit(application: string | undefined): string {
  for (const from of [application, process.argv[1], join(process.cwd(), 'package.json'), __filename]) {
    try {
      if (from) return createRequire(from).resolve(PACKAGE);
    } catch {
      // Not visible from there; the next place may see it.
    }
  }
  throw new ConfigurationError([
    {
      code: 'TW_AUDIT_MISSING',
      message: `The option audit: { file } needs the package ${PACKAGE}, which is not installed.`,
      fix: `Run \`npm install ${PACKAGE}\`, or give audit a sink of your own.`,
    },
  ]);
}
