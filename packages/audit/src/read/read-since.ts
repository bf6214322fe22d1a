import type { LogPaths } from '../files/log-paths.js';
import type { AuditRecord } from '../record.js';
import { recordLines } from './batch-lines.js';
import { readBatches } from './read-batches.js';
import { listSegments } from './segments.js';

/** A place in a writer's chain: all before it has been read. */
export interface Position {
  segment: number;
  /** In bytes from the start of the segment. */
  offset: number;
}

export interface ReadStep {
  records: AuditRecord[];
  position: Position;
}

/** The sealed records of a slot after a position, batch by batch, across rotated files. */
export async function* readSince(log: LogPaths, slot: number, position: Position): AsyncGenerator<ReadStep> {
  const segments = await listSegments(log, slot);
  for (const segment of segments.filter(({ number }) => number >= position.segment)) {
    const { number } = segment;
    const from = number === position.segment ? position.offset : 0;
    for await (const batch of readBatches(segment, from)) {
      const records = [...recordLines(batch.entries)].map((line) => JSON.parse(line) as AuditRecord);
      yield { records, position: { segment: number, offset: batch.end } };
    }
  }
}
