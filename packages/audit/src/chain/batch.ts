import { RECORD_START } from './entries.js';

/** Lines that lie one behind the other. */
export interface Lines {
  readonly bytes: Buffer;
  /** Where the first begins. */
  readonly start: number;
  /** Where each of them ends. */
  readonly ends: readonly number[];
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
 * @param room used if it is large enough
 */
export function joinBatch(
  control: readonly string[],
  records: readonly Lines[],
  { seq, room }: { seq: number; room?: Buffer },
): Batch {
  const head = control.join('');
  let size = Buffer.byteLength(head) + SEAL_ROOM;
  for (const { start, ends } of records) size += NUMBER_LENGTH * ends.length + ends.at(-1)! - start;
  const bytes = room && room.length >= size ? room : Buffer.allocUnsafeSlow(size);
  let length = bytes.write(head);
  let number = seq;
  for (const run of records) {
    let { start } = run;
    for (const end of run.ends) {
      length += bytes.write(`${RECORD_START}${++number}`, length, 'latin1');
      length += run.bytes.copy(bytes, length, start, end);
      start = end;
    }
  }
  return { bytes, length, entries: control.length + number - seq };
}
