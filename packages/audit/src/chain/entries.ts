import type { SignedStatement } from './statement.js';

/** First entry of every segment, and of every new opening of one. */
export interface OpenEntry {
  /** Version of the format. */
  v: 1;
  writer: string;
  segment: number;
  /** Milliseconds since the epoch. */
  time: number;
  pid: number;
  host: string;
  keyId: string;
  /** Where the signing key comes from; one that lies beside the log proves nothing against who can read it there. */
  signingKey: 'given' | 'beside the log';
  /** A batch that was being written when the last process died; never acknowledged, set aside. */
  torn?: { bytes: number; sha256: string };
  /** What was found missing or changed on opening; the chain goes on in a new segment. */
  damage?: string;
}

/** The segments that retention is about to delete; what proves that a missing file was not taken away. */
export interface RetireEntry {
  /** Last segment of those deleted. */
  through: number;
  /** Chain hash at its end. */
  hash: string;
  time: number;
}

/** Everything in a log that is no record. */
export type ControlEntry =
  | { open: OpenEntry }
  | { checkpoint: SignedStatement }
  | { retire: RetireEntry }
  | { close: { time: number } };

/** How the line of a record begins. */
export const RECORD_START = '{"seq":';

export function encodeEntry(entry: ControlEntry): string {
  return `${JSON.stringify(entry)}\n`;
}
