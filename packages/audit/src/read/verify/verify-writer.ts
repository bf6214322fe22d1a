import type { KeyObject } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { type ChainState, GENESIS_HASH, type SignedStatement } from '../../chain/statement.js';
import { type Head, readHead } from '../../files/head-file.js';
import type { LogPaths } from '../../files/log-paths.js';
import { isUnfinishedBatch, partOfNoBatch } from '../foreign-bytes.js';
import { type Tail, readBatches, surveyBatch } from '../read-batches.js';
import { type Segment, listSegments, readFirstEntry, tellOddParts } from '../segments.js';
import { ChainVerifier } from './chain-verifier.js';
import type { AuditProblem, VerifyReport, WriterReport } from './verify-report.js';

export interface VerifyEnvironment {
  log: LogPaths;
  keys: ReadonlyMap<string, KeyObject>;
  /** Statements that were kept elsewhere and that the log must contain. */
  anchors: readonly SignedStatement[];
  problem(problem: AuditProblem): void;
  note(text: string): void;
  /** Reports that this many more bytes are done. */
  progress(bytes: number): void;
}

/** A log whose files were read, and not yet compared with other ones. */
export interface VerifiedLog {
  readonly report: VerifyReport;
  readonly environment: VerifyEnvironment;
}

/** Verifies the chain of one slot: its head, its files, and what links them. */
export async function verifyWriter(slot: number, environment: VerifyEnvironment): Promise<WriterReport> {
  const { log, problem } = environment;
  const paths = log.writer(slot);
  // The head is read before the log, because a running writer only moves the end of the log further.
  const head = await readSteadyHead(paths.head, environment.keys);
  if (!head) problem({ kind: 'head', message: 'there is no signed head beside the log', file: paths.head });
  if (head?.damage) problem({ kind: 'head', message: head.damage, file: paths.head });
  const segments = await listSegments(log, slot);
  await tellOddParts(log, slot, (file, fact) =>
    problem({ kind: 'foreign-bytes', message: `this part ${fact}`, file }),
  );
  if (segments.length === 0 && head?.latest.batch !== 0) {
    problem({ kind: 'missing-file', message: 'no file of this writer is there', file: paths.current });
  }
  const start = await startOf(segments, head);
  const anchors = environment.anchors.filter(
    ({ writer, batch }) => writer === start.writer && batch >= start.batch,
  );
  const verifier = new ChainVerifier(
    start,
    head ? [head.latest, ...anchors] : anchors,
    environment.keys,
    environment,
  );
  await followSegments(segments, verifier, { ...environment, head });
  checkBeginning(segments, { start, verifier }, environment);
  reportUnmet(verifier, head, paths.current, environment);
  // A running writer has continued meanwhile. It signs each batch before it begins the next one.
  const latest = (await readSteadyHead(paths.head, environment.keys)) ?? head;
  reportUnvouched(verifier, latest, paths.current, environment);
  return reportOf(slot, verifier, head);
}

/**
 * A writer may be replacing a statement at this moment. So a head counts as wrong only if it is still wrong
 * at a second look.
 */
async function readSteadyHead(path: string, keys: ReadonlyMap<string, KeyObject>): Promise<Head | undefined> {
  const head = await readHead(path, keys);
  return head && !head.damage ? head : readHead(path, keys);
}

/** The state before the first batch: the start of the chain, or the place where retention has cut it. */
async function startOf(segments: readonly Segment[], head: Head | undefined): Promise<ChainState> {
  const first = segments[0];
  const opened = first && (await readFirstEntry(first.path));
  const writer = head?.latest.writer ?? opened?.writer ?? '';
  const start = { writer, segment: first?.number ?? 1, batch: 0, seq: 0, hash: GENESIS_HASH, offset: 0 };
  if (!first || first.number === 1) return start;
  for await (const { seal, entries } of readBatches(first)) {
    if (!seal) return start;
    return { ...start, batch: seal.batch - 1, seq: seal.seq - surveyBatch(entries).records, hash: seal.prev };
  }
  return start;
}

async function followSegments(
  segments: readonly Segment[],
  verifier: ChainVerifier,
  environment: VerifyEnvironment & { head: Head | undefined },
): Promise<void> {
  let previous: Segment | undefined;
  for (const segment of segments) {
    if (previous && segment.number !== previous.number + 1) {
      const message = `the files between segments ${previous.number} and ${segment.number} are missing`;
      environment.problem({ kind: 'missing-file', message, file: segment.path });
    }
    const tail = await followSegment(segment, verifier, environment);
    if (tail.bytes.length > 0) judgeTail(tail, segment, { ...environment, verifier });
    previous = segment;
  }
}

async function followSegment(
  segment: Segment,
  verifier: ChainVerifier,
  environment: VerifyEnvironment,
): Promise<Tail> {
  const place = { path: segment.path, segment: segment.number };
  const batches = readBatches(segment);
  for (;;) {
    const next = await batches.next();
    if (next.done) return next.value;
    verifier.accept(next.value, place);
    environment.progress(next.value.end - next.value.start);
  }
}

/**
 * After the last seal there may be an unfinished batch, if the file is the current one and its writer is
 * running.
 */
function judgeTail(
  tail: Tail,
  segment: Segment,
  { verifier, head, problem, note }: VerifyEnvironment & { verifier: ChainVerifier; head: Head | undefined },
): void {
  const closed = head?.latest.closed === true && head.latest.batch === verifier.state.batch;
  if (!segment.rotated && !closed && isUnfinishedBatch(tail.bytes, verifier.state.seq)) {
    note(
      `${segment.path}: ends in ${tail.bytes.length} bytes of an unfinished batch, as after a crash or during a write`,
    );
    return;
  }
  problem({
    kind: 'foreign-bytes',
    message: partOfNoBatch(tail.bytes),
    file: segment.path,
    offset: tail.start,
  });
}

/** A chain that does not begin at its start must contain an entry that says where retention has cut it. */
function checkBeginning(
  segments: readonly Segment[],
  { start, verifier }: { start: ChainState; verifier: ChainVerifier },
  { problem }: VerifyEnvironment,
): void {
  const first = segments[0];
  if (!first || first.number === 1) return;
  const retired = verifier.lastRetired;
  if (retired?.through === first.number - 1 && retired.hash === start.hash) return;
  const message = `segments before ${first.number} are missing, and retention did not delete them`;
  problem({ kind: 'missing-file', message, file: first.path });
}

function reportUnmet(
  verifier: ChainVerifier,
  head: Head | undefined,
  file: string,
  { problem }: VerifyEnvironment,
): void {
  for (const statement of verifier.unmet) {
    const ours = statement === head?.latest;
    const beyond = statement.batch > verifier.state.batch;
    const kind = !ours ? 'anchor' : beyond ? 'truncated' : 'head';
    const source = ours ? 'the signed head' : 'a statement kept elsewhere';
    const found = beyond
      ? `the log ends with batch ${verifier.state.batch}`
      : 'the log has another batch there';
    problem({ kind, message: `${source} states batch ${statement.batch}, but ${found}`, file });
  }
}

/**
 * Anybody can add batches with valid hashes to the end of a log. Only the owner of the key can sign the end.
 */
function reportUnvouched(
  { state }: ChainVerifier,
  head: Head | undefined,
  file: string,
  { problem }: VerifyEnvironment,
): void {
  if (!head) return;
  const { batch, closed } = head.latest;
  const beyond = state.batch - batch;
  if (beyond <= (closed === true ? 0 : 1)) return;
  problem({ kind: 'head', message: `${beyond} batches follow the last one that the head states`, file });
}

function reportOf(slot: number, verifier: ChainVerifier, head: Head | undefined): WriterReport {
  const { state, records, batches, checkpoints } = verifier;
  const vouched = head?.latest.batch ?? 0;
  const closed = head?.latest.closed === true && vouched === state.batch;
  const unvouched = Math.max(0, state.batch - vouched);
  return { writer: state.writer, slot, records, batches, checkpoints, unvouched, closed };
}

/** The size of all files of a slot, for the progress bar. */
export async function sizeOfWriter(log: LogPaths, slot: number): Promise<number> {
  const segments = await listSegments(log, slot);
  const sizes = await Promise.all(segments.map(async ({ path }) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
