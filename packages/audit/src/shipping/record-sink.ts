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

/** A record is only sent again right after a failure or a restart, so older ids are not needed. */
const REMEMBERED = 100_000;

/** The last ids that a sink received. It uses them to drop duplicates. */
export class RecentIds {
  private readonly ids = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
    if (this.ids.size <= REMEMBERED) return;
    // A set keeps the order of insertion, so the first id is the oldest.
    const [oldest] = this.ids;
    this.ids.delete(oldest!);
  }
}
