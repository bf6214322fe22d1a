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
