import type { ChainSeal } from '../chain/seal.js';
import { segmentOfHead } from '../files/head-file.js';
import type { LogPaths } from '../files/log-paths.js';
import type { AuditRecord } from '../record.js';
import { isUnfinishedBatch, partOfNoBatch } from './foreign-bytes.js';
import { type SealedBatch, type Tail, readBatches, recordLines, surveyBatch } from './read-batches.js';
import { type Segment, listSegments, tellOddParts } from './segments.js';

/** A place in a writer's chain. Everything before it was read. */
export interface Position {
  segment: number;
  /** The place in bytes, from the start of the segment. */
  offset: number;
}

export interface ReadStep {
  records: AuditRecord[];
  /** The number of each of them in its chain, which a damaged record may not have itself. */
  numbers: number[];
  /** How many records of the batch cannot be read, because somebody has damaged them. */
  unreadable: number;
  position: Position;
}

/** Is called once for each place where the chain is not complete. */
export type OnBroken = (message: string) => void;

/**
 * The sealed records of a slot after a position, batch by batch, through rotated files.
 *
 * @param onBroken called for batches that were changed or do not follow each other, for records with a wrong number, and for
 *   files that are not logs
 */
export async function* readSince(
  log: LogPaths,
  slot: number,
  { position, onBroken }: { position: Position; onBroken?: OnBroken | undefined },
): AsyncGenerator<ReadStep> {
  const segments = await listSegments(log, slot);
  if (onBroken) await tellParts(log, slot, { segments, onBroken });
  let before: ChainSeal | undefined;
  for (const segment of segments.filter(({ number }) => number >= position.segment)) {
    const { number, path } = segment;
    const from = number === position.segment ? position.offset : 0;
    let lines = 0;
    const onTail = (tail: Tail) => onBroken && tellTail(segment, { tail, seq: before?.seq, onBroken });
    for await (const batch of readBatchesAndTail(segment, from, onTail)) {
      const { seal, intact, start, end } = batch;
      const all = [...recordLines(batch.entries)].map(readRecord);
      const first = intact ? seal!.seq - all.length + 1 : (before?.seq ?? 0) + 1;
      const records = all.filter((record) => record !== undefined);
      const numbers = all.flatMap((record, at) => (record ? [first + at] : []));
      if (onBroken) {
        const content = surveyBatch(batch.entries);
        const problem = findProblem(batch, all, before) ?? (content.foreign && 'it has a foreign line');
        const line = from === 0 && content.foreign && `, line ${lines + content.foreign} is not a record`;
        if (problem) onBroken(`${path} at byte ${start}: ${problem}${line || ''}`);
        lines += content.lines + 1;
      }
      before = seal;
      const unreadable = all.length - records.length;
      yield { records, numbers, unreadable, position: { segment: number, offset: end } };
    }
  }
}

async function* readBatchesAndTail(
  segment: Segment,
  from: number,
  onTail: (tail: Tail) => void,
): AsyncGenerator<SealedBatch> {
  onTail(yield* readBatches(segment, from));
}

/** The bytes after the last seal may be what a writer is writing. Nobody else leaves any. */
function tellTail(
  { path, rotated }: Segment,
  { tail, seq, onBroken }: { tail: Tail; seq: number | undefined; onBroken: OnBroken },
): void {
  const { start, bytes } = tail;
  // A file that a writer has opened has an entry that says so.
  if (bytes.length === 0 ? start > 0 || rotated : !rotated && isUnfinishedBatch(bytes, seq)) return;
  onBroken(bytes.length === 0 ? `${path} is empty` : `${path} at byte ${start}: ${partOfNoBatch(bytes)}`);
}

/** Tells the parts of a writer that cannot be read, and the one that its head names if it is not there. */
export async function tellParts(
  log: LogPaths,
  slot: number,
  { segments, onBroken }: { segments: readonly Segment[]; onBroken: OnBroken },
): Promise<void> {
  await tellOddParts(log, slot, (path, fact) => onBroken(`${path} ${fact}`));
  const { current, head } = log.writer(slot);
  const newest = segments.at(-1);
  if (newest && !newest.rotated) return;
  const stated = await segmentOfHead(head);
  if (stated <= (newest?.number ?? 0)) return;
  // The writer may have rotated its file since these were listed.
  const now = (await listSegments(log, slot)).at(-1);
  if (stated > (now?.number ?? 0)) onBroken(`there is no file ${current}, but its head ${head}`);
}

/**
 * The record in a line of a log, or in a row of a table. A record that somebody has damaged must not hide the records after it.
 *
 * @returns `undefined` when it cannot be read
 */
export function readRecord(line: string): AuditRecord | undefined {
  try {
    const record = JSON.parse(line) as AuditRecord | null;
    const { seq, id, writer, event, operation, name, callId } = record ?? ({} as Partial<AuditRecord>);
    const texts = [id, writer, event, operation, name, callId];
    const isWhole = texts.every((text) => typeof text === 'string') && Number.isSafeInteger(seq);
    return isWhole && hasFigures(record!) ? record! : undefined;
  } catch {
    return undefined;
  }
}

/** The last millisecond of the year 9999: later times have no usual text. */
const LATEST = Date.UTC(10_000, 0) - 1;

/** Whether each figure of a record is one that a sum may have. */
function hasFigures({ time, durationMs = 0, count = 1, result }: AuditRecord): boolean {
  const { bytes = 0, read = 0 } = result ?? {};
  const sizes = [bytes, read];
  return (
    isFrom(time, 0, LATEST) &&
    isFrom(durationMs, 0, LATEST) &&
    isFrom(count, 1) &&
    sizes.every((size) => isFrom(size, 0)) &&
    [count, ...sizes].every(Number.isSafeInteger)
  );
}

const isFrom = (value: unknown, least: number, most = Number.MAX_SAFE_INTEGER) =>
  typeof value === 'number' && value >= least && value <= most;

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
