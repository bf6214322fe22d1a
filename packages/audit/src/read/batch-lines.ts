import { RECORD_START, type ControlEntry } from '../chain/entries.js';

export const LINE_FEED = 0x0a;
const LETTER_S = 0x73;

/** The content of a batch, without parsing its records. */
export interface BatchContent {
  lines: number;
  records: number;
  control: ControlEntry[];
  /** The first record with a wrong number, if there is one. NaN if the record has no readable number. */
  misnumbered: { found: number; expected: number } | undefined;
}

/**
 * Counts the lines of a batch, and parses those that are not records. Throws a SyntaxError if one is not
 * JSON.
 *
 * @param before number of the last record before the batch
 */
export function surveyBatch(entries: Buffer, before = 0): BatchContent {
  const content: BatchContent = { lines: 0, records: 0, control: [], misnumbered: undefined };
  for (let start = 0; start < entries.length;) {
    const end = endOfLine(entries, start);
    content.lines += 1;
    if (isRecord(entries, start)) {
      content.records += 1;
      const expected = before + content.records;
      if (!content.misnumbered) {
        const found = sequenceOf(entries, start);
        if (found !== expected) content.misnumbered = { found, expected };
      }
    } else content.control.push(JSON.parse(entries.toString('utf8', start, end)) as ControlEntry);
    start = end + 1;
  }
  return content;
}

/** The lines of a batch's records, unchanged. */
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

const ZERO = 0x30;
const NINE = 0x39;
const COMMA = 0x2c;

/**
 * The number in a record. It is read digit by digit, because parsing each record would take ten times as
 * long.
 */
function sequenceOf(bytes: Buffer, start: number): number {
  let sequence = 0;
  let at = start + RECORD_START.length;
  for (; bytes[at]! >= ZERO && bytes[at]! <= NINE; at += 1) sequence = sequence * 10 + bytes[at]! - ZERO;
  return at > start + RECORD_START.length && bytes[at] === COMMA ? sequence : NaN;
}

/**
 * `{"seq":` is the only entry whose third byte is an s. With one comparison per line, verifying is as fast as
 * hashing.
 */
function isRecord(bytes: Buffer, start: number): boolean {
  return bytes[start + 2] === LETTER_S;
}
