import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import type { OpenEntry } from '../chain/entries.js';
import { isSealedWith } from '../chain/seal.js';
import { type ChainState, GENESIS_HASH, type SignedStatement } from '../chain/statement.js';
import type { HmacKey } from '../hmac-key.js';
import { type SealedBatch, readBatches } from '../read/read-batches.js';
import { readLastSeal } from '../read/read-last-seal.js';
import { type Segment, listSegments, readFirstEntry } from '../read/segments.js';
import { readHead } from './head-file.js';
import { parsePublicKeys } from './log-keys.js';
import type { LogPaths, WriterPaths } from './log-paths.js';

/** The place where a writer continues. */
export interface RecoveredChain {
  state: ChainState;
  /** Whether the head file already contains this batch. */
  stated: boolean;
  /** Written into the open entry. */
  findings: Pick<OpenEntry, 'torn' | 'damage'>;
}

/** The slot that is recovered. */
interface Recovery {
  paths: WriterPaths;
  /** The key with which this log seals its batches. */
  key: HmacKey;
}

/**
 * Prepares the files of a slot, so that a writer can continue after a proper end, a crash or tampering:
 * - A batch without its seal was never acknowledged. Its bytes are moved to another file.
 * - If the log lacks something that the head proves, it is damaged. The log is moved aside unchanged, as
 *   evidence, and the chain continues in a new segment that says so. Somebody who changes a log must not be
 *   able to keep the server from starting.
 */
export async function recoverChain(log: LogPaths, recovery: Recovery): Promise<RecoveredChain> {
  const { paths } = recovery;
  const keys = parsePublicKeys(await readFile(log.publicKeys, 'utf8'));
  const head = await readHead(paths.head, keys);
  const last = (await listSegments(log, paths.slot)).at(-1);
  if (!head) return last ? withoutHead(recovery, last) : { state: genesis(), stated: false, findings: {} };
  const state = stateOf(head.latest);
  if (!last && state.batch === 0) return { state, stated: true, findings: {} };
  if (!last || last.number < state.segment) return withoutSegment(recovery, state, last);
  // The last process had rotated its file, and had not yet started the next one.
  if (last.rotated) return { state: nextSegment(state), stated: true, findings: { damage: head.damage } };
  // The same, but the next file already has an entry. The head describes the file before.
  const from = last.number === state.segment ? state : { ...state, segment: last.number, offset: 0 };
  return goOn({ ...recovery, segment: last }, from, head.damage);
}

/**
 * The usual case: from the end that the head states, over the batches that were sealed after it, to the end
 * of the file.
 */
async function goOn(
  recovery: Recovery & { segment: Segment },
  from: ChainState,
  headDamage?: string,
): Promise<RecoveredChain> {
  const { paths, key, segment } = recovery;
  const damage = headDamage ?? (await findDamage(paths.current, from));
  if (damage !== undefined) return setAside(paths, from, damage);
  const followed = await followChain(segment, from, key);
  const torn = await cutTail(paths, followed);
  const stated = followed.state.batch === from.batch;
  return { state: followed.state, stated, findings: torn ? { torn } : {} };
}

/** Checks only the very end of what the head proves. `verify` checks the rest of the file. */
async function findDamage(path: string, { offset, hash }: ChainState): Promise<string | undefined> {
  if (offset === 0) return undefined;
  if ((await stat(path)).size < offset)
    return `the log is shorter than the ${offset} bytes that its head states`;
  const seal = await readLastSeal(path, offset);
  return seal?.hash === hash ? undefined : 'the log does not match its head';
}

/** The file that the head describes is missing. If there is another file in its place, it is older. */
async function withoutSegment(
  { paths }: Recovery,
  state: ChainState,
  last?: Segment,
): Promise<RecoveredChain> {
  if (last && !last.rotated) await rename(last.path, paths.torn(state.batch + 1));
  const damage = `segment ${state.segment} is missing`;
  return { state: nextSegment(state), stated: true, findings: { damage } };
}

async function withoutHead({ paths, key }: Recovery, last: Segment): Promise<RecoveredChain> {
  const opened = await readFirstEntry(last.path);
  const start = { ...genesis(), segment: last.number, writer: opened?.writer ?? randomUUID() };
  const { state } = await followChain(last, start, key);
  const damage = 'the signed head of the log is missing';
  if (last.rotated) return { state: nextSegment(state), stated: false, findings: { damage } };
  return setAside(paths, state, damage);
}

async function setAside(paths: WriterPaths, state: ChainState, damage: string): Promise<RecoveredChain> {
  const place = paths.rotated(state.segment);
  const taken = await stat(place).then(Boolean, () => false);
  await rename(paths.current, taken ? paths.torn(state.batch + 1) : place);
  return { state: nextSegment(state), stated: false, findings: { damage } };
}

function genesis(): ChainState {
  return { writer: randomUUID(), segment: 1, batch: 0, seq: 0, hash: GENESIS_HASH, offset: 0 };
}

function nextSegment(state: ChainState): ChainState {
  return { ...state, segment: state.segment + 1, offset: 0 };
}

function stateOf({ writer, segment, batch, seq, hash, offset }: SignedStatement): ChainState {
  return { writer, segment, batch, seq, hash, offset };
}

/** How far a chain could be followed through a segment. */
interface FollowedChain {
  state: ChainState;
  /** The number of bytes after that. */
  tail: number;
}

/** Follows batches that continue the state, are unchanged, and are sealed with the log's own key. */
async function followChain(segment: Segment, from: ChainState, key: HmacKey): Promise<FollowedChain> {
  let state = from;
  for await (const batch of readBatches(segment, from.offset)) {
    const next = successor(state, batch, key);
    if (!next) break;
    state = next;
  }
  return { state, tail: (await stat(segment.path)).size - state.offset };
}

function successor(state: ChainState, batch: SealedBatch, key: HmacKey): ChainState | undefined {
  const { seal, intact, end, entries, sealLine } = batch;
  if (!seal || !intact || !isSealedWith(key, entries, sealLine)) return undefined;
  // Without a head there is no earlier state to compare the first batch with.
  const linked = state.batch === 0 || (seal.prev === state.hash && seal.batch === state.batch + 1);
  if (!linked) return undefined;
  return { ...state, batch: seal.batch, seq: seal.seq, hash: seal.hash, offset: end };
}

/**
 * Moves everything after the state to another file. It was never acknowledged, but somebody may want to read
 * it.
 */
async function cutTail(paths: WriterPaths, { state, tail }: FollowedChain): Promise<OpenEntry['torn']> {
  if (tail === 0) return undefined;
  const chunks: Buffer[] = await createReadStream(paths.current, { start: state.offset }).toArray();
  const bytes = Buffer.concat(chunks);
  await writeFile(paths.torn(state.batch + 1), bytes, { mode: 0o640, flush: true });
  await truncate(paths.current, state.offset);
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
