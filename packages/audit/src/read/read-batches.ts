import type { FileHandle } from 'node:fs/promises';
import { type ControlEntry, RECORD_START } from '../chain/entries.js';
import { SEAL_START, type ChainSeal, hashOfSeal, parseSeal } from '../chain/seal.js';
import { type Segment, openSegment } from './segments.js';

/** A sealed batch as found in the file. */
export interface SealedBatch {
  /** In bytes from the start of the file. */
  start: number;
  /** The end of the seal's line. */
  end: number;
  /** The lines before the seal. They are valid until the next batch is requested. */
  entries: Buffer;
  /** Undefined if the line of the seal is not what a writer writes. */
  seal: ChainSeal | undefined;
  /** The line of the seal, unchanged. */
  sealLine: string;
  /** Whether the hash in the seal matches the bytes. */
  intact: boolean;
}

/** The bytes after the last seal. */
export interface Tail {
  start: number;
  bytes: Buffer;
}

const CHUNK_BYTES = 4 * 1024 * 1024;
/** More bytes than any writer puts between two seals. */
const LIMIT_BYTES = 256 * 1024 * 1024;
const SEAL_NEEDLE = Buffer.from(`\n${SEAL_START}`);

/**
 * Reads the batches of a segment from the start of a batch, and checks each against its hash. Returns the
 * rest.
 */
export async function* readBatches(segment: Segment, from = 0): AsyncGenerator<SealedBatch, Tail> {
  const file = await openSegment(segment);
  try {
    let rest: Buffer = Buffer.alloc(0);
    let start = from;
    for (;;) {
      const chunk = await readChunk(file, start + rest.length);
      if (chunk.length === 0 || rest.length > LIMIT_BYTES) return { start, bytes: rest };
      // A new seal can only be in the new bytes, or begin shortly before them.
      let searchFrom = Math.max(0, rest.length - SEAL_NEEDLE.length);
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let used = 0;
      for (;;) {
        const end = endOfBatch(rest, used, searchFrom);
        if (end === undefined) break;
        yield batchOf(rest.subarray(used, end), start);
        start += end - used;
        used = end;
        searchFrom = end;
      }
      rest = rest.subarray(used);
    }
  } finally {
    await file.close();
  }
}

async function readChunk(file: FileHandle, position: number): Promise<Buffer> {
  const { size } = await file.stat();
  const length = Math.max(0, Math.min(CHUNK_BYTES, size - position));
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The end of the batch that begins at `start`, if its seal is complete. */
function endOfBatch(bytes: Buffer, start: number, searchFrom: number): number | undefined {
  const bare =
    bytes.length >= start + SEAL_START.length &&
    bytes.toString('latin1', start, start + SEAL_START.length) === SEAL_START;
  const needle = bare ? start - 1 : bytes.indexOf(SEAL_NEEDLE, searchFrom);
  if (needle === -1 && !bare) return undefined;
  const lineEnd = bytes.indexOf(LINE_FEED, needle + 1);
  return lineEnd === -1 ? undefined : lineEnd + 1;
}

function batchOf(bytes: Buffer, start: number): SealedBatch {
  const sealStart = bytes.lastIndexOf(LINE_FEED, bytes.length - 2) + 1;
  const sealLine = bytes.toString('latin1', sealStart);
  const seal = parseSeal(sealLine);
  const entries = bytes.subarray(0, sealStart);
  return {
    start,
    end: start + bytes.length,
    entries,
    seal,
    sealLine,
    intact: seal !== undefined && hashOfSeal(entries, sealLine) === seal.hash,
  };
}

const LINE_FEED = 0x0a;
const LETTER_S = 0x73;

/** The content of a batch, without parsing its records. */
export interface BatchContent {
  lines: number;
  records: number;
  control: ControlEntry[];
  /** The first line that is neither a record nor an entry, from 1. */
  foreign: number | undefined;
  /** The first record with a wrong number, if there is one. NaN if the record has no readable number. */
  misnumbered: { found: number; expected: number } | undefined;
}

/**
 * Counts the lines of a batch, and parses the lines that are not records.
 *
 * @param before number of the last record before the batch
 */
export function surveyBatch(entries: Buffer, before = 0): BatchContent {
  const content: BatchContent = {
    lines: 0,
    records: 0,
    control: [],
    foreign: undefined,
    misnumbered: undefined,
  };
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
    } else {
      const entry = parseEntry(entries.toString('utf8', start, end));
      if (entry) content.control.push(entry);
      else content.foreign ??= content.lines;
    }
    start = end + 1;
  }
  return content;
}

/** @returns `undefined` for a line that no writer leaves, such as `null` */
function parseEntry(line: string): ControlEntry | undefined {
  try {
    const entry = JSON.parse(line) as ControlEntry | null;
    return entry && KINDS.some((kind) => isObject((entry as Partial<Record<string, unknown>>)[kind]))
      ? entry
      : undefined;
  } catch {
    return undefined;
  }
}

const KINDS = ['open', 'checkpoint', 'retire', 'close'];

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

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
