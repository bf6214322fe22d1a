import type { AuditRecord } from '../record.js';

/**
 * Another place that stored records are sent to: a collector, a table, another disk. Every record is
 * delivered at least once, and in order within a writer. After a crash the last records come again, so use
 * `id` to remove duplicates.
 */
export interface RecordSink {
  /**
   * Names the file that remembers the sink's place in the log (`audit.cursor-<name>`). It must stay the same,
   * and match `[a-z0-9-]+`.
   */
  readonly name: string;
  /**
   * Resolves when the records are where they should be.
   *
   * @throws when they are not; the same records are then sent again later, and none is skipped
   */
  ship(records: readonly AuditRecord[]): Promise<void>;
  close?(): Promise<void>;
}
