import { RECORD_START } from './entries.js';

/** Bytes of a line, wherever they lie. */
export interface Line {
  readonly slab: Buffer;
  readonly start: number;
  readonly end: number;
}

/** The entries of a batch, with room behind them for its seal. */
export interface Batch {
  readonly bytes: Buffer;
  /** Bytes that the entries take. */
  readonly length: number;
  readonly entries: number;
}

/** `{"seq":` and 15 digits. */
const NUMBER_LENGTH = RECORD_START.length + 15;
/** More than a seal takes. */
const SEAL_ROOM = 512;

/**
 * Puts entries into one buffer: those that are no records first.
 *
 * @param records lines without their `seq`, which is what follows `seq` here
 */
export function joinBatch(control: readonly string[], records: readonly Line[], seq: number): Batch {
  const head = control.join('');
  let size = Buffer.byteLength(head) + SEAL_ROOM;
  for (const { start, end } of records) size += NUMBER_LENGTH + end - start;
  const bytes = Buffer.allocUnsafe(size);
  let length = bytes.write(head);
  let number = seq;
  for (const { slab, start, end } of records) {
    length += bytes.write(`${RECORD_START}${++number}`, length, 'latin1');
    length += slab.copy(bytes, length, start, end);
  }
  return { bytes, length, entries: control.length + records.length };
}
