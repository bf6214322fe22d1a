import type { FileHandle } from 'node:fs/promises';
import { hashOfSeal, parseSeal, SEAL_START, type Seal } from '../chain/seal.js';
import { LINE_FEED } from './batch-lines.js';
import { openSegment, type Segment } from './segments.js';

/** A sealed batch as found in the file. */
export interface Batch {
  /** In bytes from the start of the file. */
  start: number;
  /** The end of the seal's line. */
  end: number;
  /** The lines before the seal. They are valid until the next batch is requested. */
  entries: Buffer;
  /** Undefined if the line of the seal is not what a writer writes. */
  seal: Seal | undefined;
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
export async function* readBatches(segment: Segment, from = 0): AsyncGenerator<Batch, Tail> {
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

function batchOf(bytes: Buffer, start: number): Batch {
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
