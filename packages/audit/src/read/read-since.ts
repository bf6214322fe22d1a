import type { Seal } from '../chain/seal.js';
import type { LogPaths } from '../files/log-paths.js';
import type { AuditRecord } from '../record.js';
import { recordLines } from './batch-lines.js';
import { readBatches, type Batch } from './read-batches.js';
import { listSegments } from './segments.js';

/** A place in a writer's chain. Everything before it was read. */
export interface Position {
  segment: number;
  /** The place in bytes, from the start of the segment. */
  offset: number;
}

export interface ReadStep {
  records: AuditRecord[];
  position: Position;
}

/** Is called once for each place where the chain is not complete. */
export type OnBroken = (message: string) => void;

/**
 * The sealed records of a slot after a position, batch by batch, through rotated files.
 *
 * @param onBroken called for batches that were changed or do not follow each other, and for records with a
 *   wrong number
 */
export async function* readSince(
  log: LogPaths,
  slot: number,
  { position, onBroken }: { position: Position; onBroken?: OnBroken | undefined },
): AsyncGenerator<ReadStep> {
  const segments = await listSegments(log, slot);
  let before: Seal | undefined;
  for (const segment of segments.filter(({ number }) => number >= position.segment)) {
    const { number } = segment;
    const from = number === position.segment ? position.offset : 0;
    for await (const batch of readBatches(segment, from)) {
      const records = [...recordLines(batch.entries)].map((line) => JSON.parse(line) as AuditRecord);
      const fault = onBroken && findFault(batch, records, before);
      if (fault) onBroken(`${segment.path} at byte ${batch.start}: ${fault}`);
      before = batch.seal;
      yield { records, position: { segment: number, offset: batch.end } };
    }
  }
}

/**
 * Finds the faults that are visible while reading. `verifyAudit` also checks signatures, and whether
 * something is missing at the ends.
 */
function findFault(
  { seal, intact }: Batch,
  records: readonly AuditRecord[],
  before: Seal | undefined,
): string | undefined {
  if (!seal || !intact) return 'the batch does not match its hash';
  if (before && seal.prev !== before.hash) return 'the batch does not follow the one before it';
  const first = seal.seq - records.length + 1;
  const wrong = records.findIndex(({ seq }, index) => seq !== first + index);
  return wrong < 0 ? undefined : `the record that should have the number ${first + wrong} has another`;
}
