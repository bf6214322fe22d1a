import type { AuditRecord } from '../record.js';

/**
 * Where stored records are sent besides the log: a collector, a table, another disk. Delivery is at least once and in
 * order within a writer; after a crash the last records come again, so `id` is what to de-duplicate by.
 */
export interface RecordSink {
  /** Names the sink's place in the log (`audit.cursor-<name>`): stable, `[a-z0-9-]+`. */
  readonly name: string;
  /**
   * Resolves when the records are where they should be.
   * @throws when they are not: the same records are sent again later, none is skipped
   */
  ship(records: readonly AuditRecord[]): Promise<void>;
  close?(): Promise<void>;
}
