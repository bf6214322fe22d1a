import type { AuditRecord } from '@toolwright/audit';
import { systemClock } from '@toolwright/core';
import { optionRules, type OptionSchema } from '@toolwright/core/options';
import {
  connectionOptions,
  parseConnection,
  type PostgresConnectionOptions,
} from '../connect/connection-options.js';
import { openDatabase } from '../connect/open-database.js';
import { AuditComparer } from './audit-comparer.js';
import type { AuditComparison } from './audit-comparison.js';
import { AuditTable } from './audit-table.js';

export interface CompareAuditOptions extends Omit<PostgresConnectionOptions, 'migrate'> {
  /** The file of the log, or those of several logs that share the table. */
  file: string | readonly string[];
  /** The name of the sink. Default `postgres`. */
  sink?: string;
}

const { either, filledText, listOf, required } = optionRules;
const { migrate: _migrate, ...reading } = connectionOptions;

const compareOptions = {
  ...reading,
  timeoutMs: { ...reading.timeoutMs, default: 60_000 },
  file: required(either(filledText, listOf('a list of files', filledText))),
  sink: { ...filledText, default: 'postgres' },
} satisfies OptionSchema<CompareAuditOptions>;

/** How many records are looked up at a time. */
const RECORDS = 500;

/**
 * Compares the table with the log. It finds rows that are missing, altered, or extra. The log counts as the truth, so
 * verify it first (`verifyAudit`). You can run it while the server writes.
 *
 * @throws {ConfigurationError} when an option is wrong
 * @throws {AuditError} `TW_AUDIT_NOT_FOUND` if there is no log
 * @throws {PostgresError} when Postgres does not answer, or refuses
 *
 * @example
 * const { equal, missing, altered, extra } = await compareAudit({ file: 'var/audit.jsonl', url });
 */
export async function compareAudit(given: CompareAuditOptions): Promise<AuditComparison> {
  const { file, sink, schema, ...settings } = parseConnection('compareAudit', compareOptions, given);
  const { readShipped } = await import('@toolwright/audit');
  const database = await openDatabase({ ...settings, clock: systemClock });
  try {
    const comparer = await AuditComparer.start(new AuditTable(database, schema));
    const broken: string[] = [];
    for (const log of [file].flat()) {
      const batches = readShipped({ file: log, sink, onBroken: (message) => broken.push(message) });
      for await (const { records, isShipped } of gather(batches)) await comparer.compare(records, isShipped);
    }
    return await comparer.finish(broken);
  } finally {
    await database.close();
  }
}

interface Shipped {
  records: readonly AuditRecord[];
  isShipped: boolean;
}

/** Puts small batches of one writer together, because each is a question to the table. */
async function* gather(batches: AsyncIterable<Shipped>): AsyncGenerator<Shipped> {
  let gathered: AuditRecord[] = [];
  let wasShipped = true;
  for await (const { records, isShipped } of batches) {
    for (const record of records) {
      const continues = gathered[0]?.writer === record.writer && wasShipped === isShipped;
      if (gathered.length > 0 && (!continues || gathered.length >= RECORDS)) {
        yield { records: gathered, isShipped: wasShipped };
        gathered = [];
      }
      gathered.push(record);
      wasShipped = isShipped;
    }
  }
  if (gathered.length > 0) yield { records: gathered, isShipped: wasShipped };
}
