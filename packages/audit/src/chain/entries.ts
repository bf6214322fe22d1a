import type { SignedStatement } from './statement.js';

/** The first entry of every segment, and the first entry each time a writer opens a segment. */
export interface OpenEntry {
  /** The version of the format. Since 2, digests of arguments may have a `form`. */
  v: 1 | 2;
  writer: string;
  segment: number;
  /** Milliseconds since the epoch. */
  time: number;
  pid: number;
  host: string;
  keyId: string;
  /** Where the signing key comes from. A key beside the log proves nothing if an attacker can read it there. */
  signingKey: 'given' | 'beside the log';
  /**
   * A batch that was being written when the last process died. It was never acknowledged, and was moved to
   * another file.
   */
  torn?: { bytes: number; sha256: string };
  /** What was missing or changed when the log was opened. The chain continues in a new segment. */
  damage?: string;
}

/** The segments that retention is about to delete. The entry proves that nobody else removed these files. */
export interface RetireEntry {
  /** The last of the deleted segments. */
  through: number;
  /** The chain hash at its end. */
  hash: string;
  time: number;
}

/** Every entry of a log that is not a record. */
export type ControlEntry =
  | { open: OpenEntry }
  | { checkpoint: SignedStatement }
  | { retire: RetireEntry }
  | { close: { time: number } };

/** The first characters of the line of a record. */
export const RECORD_START = '{"seq":';

export function encodeEntry(entry: ControlEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Lines of records, one after the other in a buffer. */
export interface Lines {
  readonly bytes: Buffer;
  /** The start of the first line. */
  readonly start: number;
  /** The end of the last line. */
  readonly end: number;
  /** The number of lines. */
  readonly count: number;
}

/** The entries of a batch, with room for its seal after them. */
export interface Batch {
  readonly bytes: Buffer;
  /** The size of the entries in bytes. */
  readonly length: number;
  readonly entries: number;
}

/** More bytes than a seal needs. */
const SEAL_ROOM = 512;

/**
 * Joins entries in one buffer, control entries first.
 *
 * @param room a buffer that is used if it is large enough
 */
export function joinBatch(control: readonly string[], records: readonly Lines[], room?: Buffer): Batch {
  const head = control.join('');
  let size = Buffer.byteLength(head) + SEAL_ROOM;
  for (const { start, end } of records) size += end - start;
  const bytes = room && room.length >= size ? room : Buffer.allocUnsafeSlow(size);
  let length = bytes.write(head);
  for (const run of records) length += run.bytes.copy(bytes, length, run.start, run.end);
  return { bytes, length, entries: control.length + countOf(records) };
}

export function countOf(records: readonly Lines[]): number {
  return records.reduce((sum, { count }) => sum + count, 0);
}
