import { openSegment, type Segment } from './segments.js';

/** One complete line of a file. */
export interface PlacedLine {
  readonly text: string;
  /** Where it begins, in bytes from the start of the file. */
  readonly start: number;
}

const CHUNK_BYTES = 64 * 1024;
/** More bytes than any line of a writer. */
const LIMIT_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * The complete lines of a segment, the last one first. Only what is read is in memory.
 *
 * @param end where to begin; default: the end of the file
 */
export async function* linesBackwards(segment: Segment, end?: number): AsyncGenerator<PlacedLine> {
  const file = await openSegment(segment);
  try {
    let position = end ?? (await file.stat()).size;
    /** The bytes from `position` to the end of the line before. */
    let rest: Buffer = Buffer.alloc(0);
    // What follows the last line feed is not complete.
    let isComplete = false;
    while (position > 0 && rest.length < LIMIT_BYTES) {
      const length = Math.min(CHUNK_BYTES, position);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, position - length);
      position -= length;
      rest = rest.length === 0 ? buffer : Buffer.concat([buffer, rest]);
      for (;;) {
        const at = rest.lastIndexOf(LINE_FEED);
        if (at < 0) break;
        if (isComplete) yield { text: rest.toString('utf8', at + 1), start: position + at + 1 };
        isComplete = true;
        rest = rest.subarray(0, at);
      }
    }
    if (position === 0 && isComplete && rest.length > 0) yield { text: rest.toString('utf8'), start: 0 };
  } finally {
    await file.close();
  }
}
