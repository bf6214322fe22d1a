import type { ChainSeal } from '../chain/seal.js';
import type { LogPaths } from '../files/log-paths.js';
import type { AuditRecord } from '../record.js';
import { type SealedBatch, readBatches, recordLines } from './read-batches.js';
import { listSegments } from './segments.js';

/** A place in a writer's chain. Everything before it was read. */
export interface Position {
  segment: number;
  /** The place in bytes, from the start of the segment. */
  offset: number;
}

export interface ReadStep {
  records: AuditRecord[];
  /** How many records of the batch cannot be read, because somebody has damaged them. */
  unreadable: number;
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
  let before: ChainSeal | undefined;
  for (const segment of segments.filter(({ number }) => number >= position.segment)) {
    const { number } = segment;
    const from = number === position.segment ? position.offset : 0;
    for await (const batch of readBatches(segment, from)) {
      const lines = [...recordLines(batch.entries)].map(readRecord);
      const records = lines.filter((record) => record !== undefined);
      const unreadable = lines.length - records.length;
      const problem = onBroken && findProblem(batch, lines, before);
      if (problem) onBroken(`${segment.path} at byte ${batch.start}: ${problem}`);
      before = batch.seal;
      yield { records, unreadable, position: { segment: number, offset: batch.end } };
    }
  }
}

/**
 * A record that somebody has damaged must not hide the records after it. @returns `undefined` when it cannot be read
 */
export function readRecord(line: string): AuditRecord | undefined {
  try {
    const record = JSON.parse(line) as AuditRecord | null;
    const { seq, time, id, writer, event, operation, name, callId } = record ?? ({} as Partial<AuditRecord>);
    const texts = [id, writer, event, operation, name, callId];
    const isWhole = texts.every((text) => typeof text === 'string') && Number.isFinite(time);
    return isWhole && Number.isSafeInteger(seq) ? record! : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Finds the problems that are visible while reading. `verifyAudit` also checks signatures, and whether
 * something is missing at the ends.
 */
function findProblem(
  { seal, intact }: SealedBatch,
  records: readonly (AuditRecord | undefined)[],
  before: ChainSeal | undefined,
): string | undefined {
  if (!seal || !intact) return 'the batch does not match its hash';
  if (before && seal.prev !== before.hash) return 'the batch does not follow the one before it';
  const first = seal.seq - records.length + 1;
  const wrong = records.findIndex((record, index) => record?.seq !== first + index);
  return wrong < 0 ? undefined : `the record that should have the number ${first + wrong} has another`;
}
