import { createHash } from 'node:crypto';
import type { HmacKey } from '../hmac-key.js';
import type { Batch } from './batch.js';
import type { ChainState } from './statement.js';

/** What the last line of a batch says of it. */
export interface Seal {
  batch: number;
  /** Entries in the batch, the seal not counted. */
  lines: number;
  /** `seq` of the last record so far. */
  seq: number;
  /** Hash of the batch before. */
  prev: string;
  /**
   * HMAC over everything above and the entries. Anyone can compute hashes, so a batch that no signature vouches for
   * yet is taken up after a crash only if this shows that a writer of this log sealed it.
   */
  mac: string;
  /** SHA-256 over the entries' digest and this line up to here. */
  hash: string;
}

/** How the line of a seal begins; no other entry does. */
export const SEAL_START = '{"batch":';
const MAC_MEMBER = ',"mac":"';
const HASH_MEMBER = ',"hash":"';
/** `,"hash":"` + 64 hex digits + `"}` + newline. */
const SEAL_END_LENGTH = HASH_MEMBER.length + 64 + 3;
const MAC_LENGTH = MAC_MEMBER.length + 64 + 1;

const SEAL_PATTERN =
  /^\{"batch":(\d{1,15}),"lines":(\d{1,9}),"seq":(\d{1,15}),"prev":"([0-9a-f]{64})","mac":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"\}\n$/;

/** The batch as it goes to disk, and its hash. The entries are hashed once, whatever their number. */
export function sealBatch(
  { bytes, length, entries }: Batch,
  last: ChainState,
  { seq, key }: { seq: number; key: HmacKey },
): { bytes: Buffer; hash: string } {
  const digest = sha256(bytes.subarray(0, length));
  const head = `${SEAL_START}${last.batch + 1},"lines":${entries},"seq":${seq},"prev":"${last.hash}"`;
  const sealed = `${head}${MAC_MEMBER}${key.digest(digest + head)}"`;
  const hash = sha256(digest + sealed);
  const end = length + bytes.write(`${sealed}${HASH_MEMBER}${hash}"}\n`, length);
  return { bytes: bytes.subarray(0, end), hash };
}

/** Reads a seal's line strictly: any other spelling of the same JSON is an edit. */
export function parseSeal(line: string): Seal | undefined {
  const match = SEAL_PATTERN.exec(line);
  if (!match) return undefined;
  const [, batch, lines, seq, prev, mac, hash] = match;
  return {
    batch: Number(batch),
    lines: Number(lines),
    seq: Number(seq),
    prev: prev!,
    mac: mac!,
    hash: hash!,
  };
}

/** The hash that a seal's line ought to have. */
export function hashOfSeal(entries: Buffer, line: string): string {
  return sha256(sha256(entries) + line.slice(0, -SEAL_END_LENGTH));
}

/** True if whoever sealed the batch had the key. */
export function isSealedWith(key: HmacKey, entries: Buffer, line: string): boolean {
  const head = line.slice(0, -SEAL_END_LENGTH - MAC_LENGTH);
  return key.digest(sha256(entries) + head) === parseSeal(line)?.mac;
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
