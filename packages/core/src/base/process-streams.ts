import type { Writable } from 'node:stream';

/** Marks a stream whose errors are heard. Every copy of this module sees the mark. */
const HEARD = Symbol.for('toolwright.errorsAreHeard');

/**
 * This many bytes of a log wait for a reader that hangs, such as a log collector. The others are lost: they would fill the
 * memory. Standard output has the messages of a protocol, and its writers wait by themselves.
 */
const MOST_WAITING = 1_048_576;

let lost = 0;

/** How many lines of this process were lost: standard output, standard error or the logger did not take them. */
export const lostWrites = (): number => lost;

/** Counts a line that a logger of the application did not take. */
export const countLostLine = (): void => void (lost += 1);

/**
 * Writes to standard output or standard error. What cannot be written, because its reader has gone or hangs, or its disk is full,
 * is lost and counted: it must not end the process. When there is room again, later texts are written.
 *
 * @param done is called when the text was written, and when it was lost
 * @returns false when the stream has enough for now
 */
export function writeOut(
  stream: Writable & { [HEARD]?: true },
  text: string | Uint8Array,
  done?: () => void,
): boolean {
  if (!stream[HEARD]) {
    stream[HEARD] = true;
    stream.on('error', () => undefined);
  }
  if (stream === process.stderr && stream.writableLength > MOST_WAITING) {
    lost += 1;
    done?.();
    return true;
  }
  return stream.write(text, (error) => {
    if (error) lost += 1;
    done?.();
  });
}
