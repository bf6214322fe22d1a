import { RECORD_START } from '../../chain/entries.js';
import type { ChainState } from '../../chain/statement.js';

const CONTROL_START = /^\{"(?:open|checkpoint|retire|close)":/;

/**
 * True if the bytes can be the beginning of the next batch: complete entries with the next numbers, and
 * perhaps a part of one more. A writer that died leaves nothing else.
 */
export function isUnfinishedBatch(bytes: Buffer, { seq }: ChainState): boolean {
  const lines = bytes.toString('utf8').split('\n');
  const last = lines.pop()!;
  let expected = seq;
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
