import { createHash } from 'node:crypto';
import type { HmacKey } from '../hmac-key.js';
import type { Batch } from './entries.js';
import type { ChainState } from './statement.js';

/** The last line of a batch. */
export interface ChainSeal {
  batch: number;
  /** The number of entries in the batch, without the seal. */
  lines: number;
  /** The `seq` of the last record so far. */
  seq: number;
  /** The hash of the batch before. */
  prev: string;
  /**
   * HMAC over everything above and the entries. Anybody can compute hashes. So after a crash, a batch without
   * a signature is accepted only if this HMAC shows that a writer of this log sealed it.
   */
  mac: string;
  /** SHA-256 over the digest of the entries and this line up to here. */
  hash: string;
}

/** The first characters of the line of a seal. No other entry begins with them. */
export const SEAL_START = '{"batch":';
const MAC_MEMBER = ',"mac":"';
const HASH_MEMBER = ',"hash":"';
/** `,"hash":"` + 64 hex digits + `"}` + newline. */
const SEAL_END_LENGTH = HASH_MEMBER.length + 64 + 3;
const MAC_LENGTH = MAC_MEMBER.length + 64 + 1;

const SEAL_PATTERN =
  /^\{"batch":(\d{1,15}),"lines":(\d{1,9}),"seq":(\d{1,15}),"prev":"([0-9a-f]{64})","mac":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"\}\n$/;

/**
 * Returns the batch as it is written to disk, and its hash. The entries are hashed once, however many there
 * are.
 */
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

/** Parses the line of a seal strictly. Any other way to write the same JSON is a change. */
export function parseSeal(line: string): ChainSeal | undefined {
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

/** The correct hash for the line of a seal. */
export function hashOfSeal(entries: Buffer, line: string): string {
  return sha256(sha256(entries) + line.slice(0, -SEAL_END_LENGTH));
}

/** True if the batch was sealed with this key. */
export function isSealedWith(key: HmacKey, entries: Buffer, line: string): boolean {
  const head = line.slice(0, -SEAL_END_LENGTH - MAC_LENGTH);
  return key.digest(sha256(entries) + head) === parseSeal(line)?.mac;
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
