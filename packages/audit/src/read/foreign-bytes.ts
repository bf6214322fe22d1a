import { RECORD_START } from '../chain/entries.js';

/** The first bytes of what gzip and zstd write. */
const COMPRESSED = [Buffer.from([0x1f, 0x8b]), Buffer.from([0x28, 0xb5, 0x2f, 0xfd])];

/** What somebody should know of bytes that no writer leaves. */
export function partOfNoBatch(bytes: Buffer): string {
  const found = COMPRESSED.some((start) => bytes.subarray(0, start.length).equals(start))
    ? 'they are compressed'
    : bytes.subarray(0, 64).every((byte) => byte === 0)
      ? 'they begin with zeros'
      : 'no seal ends them';
  return `${bytes.length} bytes that are part of no batch: ${found}. A log is lines of JSON, and a line {"batch":…} seals those before it`;
}

const CONTROL_START = /^\{"(?:open|checkpoint|retire|close)":/;

/**
 * True if the bytes can be the beginning of the next batch: complete entries with the next numbers, and
 * perhaps a part of one more. A writer that died leaves nothing else.
 *
 * @param seq the number of the last record before them; `undefined`: nobody knows it
 */
export function isUnfinishedBatch(bytes: Buffer, seq: number | undefined): boolean {
  const lines = bytes.toString('utf8').split('\n');
  const first = lines.find((line) => line.startsWith(RECORD_START)) ?? '';
  const last = lines.pop()!;
  let expected = seq ?? parseInt(first.slice(RECORD_START.length), 10) - 1;
  for (const line of lines) {
    if (CONTROL_START.test(line) && isJson(line)) continue;
    expected += 1;
    if (!line.startsWith(`${RECORD_START}${expected},`) || !isJson(line)) return false;
  }
  return isBeginning(last, expected + 1);
}

/** Whether the unfinished line is the beginning of the next record, of a control entry or of a seal. */
function isBeginning(line: string, seq: number): boolean {
  const starts = [
    `${RECORD_START}${seq},`,
    '{"open":{',
    '{"checkpoint":{',
    '{"retire":{',
    '{"close":{',
    '{"batch":',
  ];
  return starts.some((start) =>
    line.length < start.length ? start.startsWith(line) : line.startsWith(start),
  );
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
