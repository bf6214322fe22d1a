import { randomUUID } from 'node:crypto';
import { readFile, rename, stat } from 'node:fs/promises';
import type { OpenEntry } from '../chain/entries.js';
import { GENESIS_HASH, type ChainState, type SignedStatement } from '../chain/statement.js';
import { readLastSeal } from '../read/read-last-seal.js';
import { listSegments, readFirstEntry, type Segment } from '../read/segments.js';
import type { HmacKey } from '../hmac-key.js';
import { cutTail, followChain } from './follow-chain.js';
import { readHead } from './head-file.js';
import { parsePublicKeys } from './log-keys.js';
import type { LogPaths, WriterPaths } from './log-paths.js';

/** Where a writer goes on. */
export interface RecoveredChain {
  state: ChainState;
  /** The head file already speaks of this batch. */
  stated: boolean;
  /** Goes into the open entry. */
  findings: Pick<OpenEntry, 'torn' | 'damage'>;
}

/** The slot being recovered. */
interface Recovery {
  paths: WriterPaths;
  /** With which this log seals its batches. */
  key: HmacKey;
}

/**
 * Brings the files of a slot into a state to go on from, after an orderly end, a crash or tampering:
 * - a batch without its seal was never acknowledged: its bytes are moved to a file of their own;
 * - what the head vouches for but the log lacks is damage: the log is set aside as it is, as evidence, and the
 *   chain goes on in a new segment that says so. A server must not stay down because someone touched its log.
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
  // The last process had rotated its file, and had not yet begun the next.
  if (last.rotated) return { state: nextSegment(state), stated: true, findings: { damage: head.damage } };
  // Likewise, but with an entry in the next: what the head speaks of is the file before.
  const from = last.number === state.segment ? state : { ...state, segment: last.number, offset: 0 };
  return goOn({ ...recovery, segment: last }, from, head.damage);
}

/** The usual way: from where the head points, over what was sealed after it, to the end. */
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

/** Looks at the very end of what the head vouches for; the rest of the file is for `verify` to check. */
async function findDamage(path: string, { offset, hash }: ChainState): Promise<string | undefined> {
  if (offset === 0) return undefined;
  if ((await stat(path)).size < offset)
    return `the log ends before the ${offset} bytes that its head vouches for`;
  const seal = await readLastSeal(path, offset);
  return seal?.hash === hash ? undefined : 'the log is not the one that its head vouches for';
}

/** The file that the head speaks of is gone; what lies in its place, if anything, is from before. */
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
