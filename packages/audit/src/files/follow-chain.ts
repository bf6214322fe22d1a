import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat, truncate, writeFile } from 'node:fs/promises';
import type { OpenEntry } from '../chain/entries.js';
import { isSealedWith } from '../chain/seal.js';
import type { ChainState } from '../chain/statement.js';
import { readBatches, type Batch } from '../read/read-batches.js';
import type { Segment } from '../read/segments.js';
import type { HmacKey } from '../hmac-key.js';
import type { WriterPaths } from './log-paths.js';

/** How far a chain could be followed through a segment. */
export interface FollowedChain {
  state: ChainState;
  /** The number of bytes after that. */
  tail: number;
}

/** Follows batches that continue the state, are unchanged, and are sealed with the log's own key. */
export async function followChain(segment: Segment, from: ChainState, key: HmacKey): Promise<FollowedChain> {
  let state = from;
  for await (const batch of readBatches(segment, from.offset)) {
    const next = successor(state, batch, key);
    if (!next) break;
    state = next;
  }
  return { state, tail: (await stat(segment.path)).size - state.offset };
}

function successor(state: ChainState, batch: Batch, key: HmacKey): ChainState | undefined {
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
export async function cutTail(
  paths: WriterPaths,
  { state, tail }: FollowedChain,
): Promise<OpenEntry['torn']> {
  if (tail === 0) return undefined;
  const chunks: Buffer[] = await createReadStream(paths.current, { start: state.offset }).toArray();
  const bytes = Buffer.concat(chunks);
  await writeFile(paths.torn(state.batch + 1), bytes, { mode: 0o640, flush: true });
  await truncate(paths.current, state.offset);
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
