/** Lines of records that lie one behind the other. */
export interface Lines {
  readonly bytes: Buffer;
  /** Where the first begins. */
  readonly start: number;
  /** Where the last ends. */
  readonly end: number;
  /** How many there are. */
  readonly count: number;
}

/** The entries of a batch, with room behind them for its seal. */
export interface Batch {
  readonly bytes: Buffer;
  /** Bytes that the entries take. */
  readonly length: number;
  readonly entries: number;
}

/** More than a seal takes. */
const SEAL_ROOM = 512;

/**
 * Puts entries into one buffer: those that are no records first.
 *
 * @param room used if it is large enough
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
