import type { ControlEntry } from '../chain/entries.js';

const LINE_FEED = 0x0a;
const LETTER_S = 0x73;

/** What a batch holds, without parsing its records. */
export interface BatchContent {
  lines: number;
  records: number;
  control: ControlEntry[];
}

/** Counts a batch's lines and parses those that are no records. Throws a SyntaxError if one is not JSON. */
export function surveyBatch(entries: Buffer): BatchContent {
  const content: BatchContent = { lines: 0, records: 0, control: [] };
  for (let start = 0; start < entries.length;) {
    const end = endOfLine(entries, start);
    content.lines += 1;
    if (isRecord(entries, start)) content.records += 1;
    else content.control.push(JSON.parse(entries.toString('utf8', start, end)) as ControlEntry);
    start = end + 1;
  }
  return content;
}

/** The lines of a batch's records, as they are. */
export function* recordLines(entries: Buffer): Generator<string> {
  for (let start = 0; start < entries.length;) {
    const end = endOfLine(entries, start);
    if (isRecord(entries, start)) yield entries.toString('utf8', start, end);
    start = end + 1;
  }
}

function endOfLine(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(LINE_FEED, start);
  return end === -1 ? bytes.length : end;
}

/** `{"seq":` is the only entry whose third byte is an s; one comparison per line keeps verifying at hashing speed. */
function isRecord(bytes: Buffer, start: number): boolean {
  return bytes[start + 2] === LETTER_S;
}
