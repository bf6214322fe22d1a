import type { SignedStatement } from './statement.js';

/** The first entry of every segment, and the first entry each time a writer opens a segment. */
export interface OpenEntry {
  /** The version of the format. */
  v: 1;
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
