import type { KeyObject } from 'node:crypto';
import { isSignedBy, type SignedStatement } from '../chain/statement.js';
import { readPart } from './part-files.js';

/** The size of each half. It is that of a disk sector, so that a half is written completely or not at all. */
export const HEAD_SLOT_BYTES = 512;

/** What a head file says. */
export interface Head {
  latest: SignedStatement;
  /** What is wrong with the file, although it contains a valid statement. */
  damage?: string;
}

/**
 * The file contains the last two statements, and each commit replaces the older one. Both must exist, for
 * consecutive batches. Somebody who cuts off the last batch and restores the statement before it does not
 * have the one before that.
 */
export function headSlotOf(statement: SignedStatement): { bytes: Buffer; position: number } {
  const bytes = Buffer.alloc(HEAD_SLOT_BYTES, ' ');
  const written = bytes.write(JSON.stringify(statement));
  if (written > HEAD_SLOT_BYTES - 1) throw new RangeError('A head statement does not fit its sector.');
  bytes[HEAD_SLOT_BYTES - 1] = 0x0a;
  return { bytes, position: (statement.batch % 2) * HEAD_SLOT_BYTES };
}

/** Undefined if there is no head, or none that one of the keys signed. */
export async function readHead(
  path: string,
  keys: ReadonlyMap<string, KeyObject>,
): Promise<Head | undefined> {
  const bytes = await readPart(path);
  if (!bytes) return undefined;
  const even = parseSlot(bytes.subarray(0, HEAD_SLOT_BYTES), 0, keys);
  const odd = parseSlot(bytes.subarray(HEAD_SLOT_BYTES, 2 * HEAD_SLOT_BYTES), 1, keys);
  if (!even || !odd) {
    const latest = even ?? odd;
    // A new log has one statement, that of its start.
    if (latest?.batch === 0 && bytes.length <= HEAD_SLOT_BYTES) return { latest };
    return latest && { latest, damage: 'one of the two statements of the head is missing or not signed' };
  }
  const [earlier, latest] = even.batch < odd.batch ? [even, odd] : [odd, even];
  const follows = latest.batch === earlier.batch + 1 && latest.writer === earlier.writer;
  if (!follows) return { latest, damage: 'the two statements of the head do not follow each other' };
  if (bytes.length !== 2 * HEAD_SLOT_BYTES) return { latest, damage: 'the head has a wrong size' };
  return { latest };
}

/** The segment with the last batch, as the head says it. Nobody has checked who wrote that. 0: it names no batch. */
export async function segmentOfHead(path: string): Promise<number> {
  const bytes = (await readPart(path)) ?? Buffer.alloc(0);
  const halves = [bytes.subarray(0, HEAD_SLOT_BYTES), bytes.subarray(HEAD_SLOT_BYTES, 2 * HEAD_SLOT_BYTES)];
  return Math.max(...halves.map(segmentIn));
}

function segmentIn(half: Buffer): number {
  try {
    const { batch, segment } = JSON.parse(half.toString()) as SignedStatement;
    return batch > 0 && Number.isSafeInteger(segment) ? segment : 0;
  } catch {
    return 0;
  }
}

function parseSlot(
  bytes: Buffer,
  parity: number,
  keys: ReadonlyMap<string, KeyObject>,
): SignedStatement | undefined {
  try {
    const statement = JSON.parse(bytes.toString()) as SignedStatement;
    // The bytes must be exactly what a writer would write. Even a changed space counts.
    const genuine = statement.batch % 2 === parity && headSlotOf(statement).bytes.equals(bytes);
    return genuine && isSignedBy(keys, statement) ? statement : undefined;
  } catch {
    return undefined;
  }
}
