import type { Readable, Writable } from 'node:stream';
import { writeOut } from '@toolwright/core/transport';

/** A line that is longer is passed on in parts. */
const LONGEST_LINE = 1_048_576;

/**
 * Passes on what a worker writes, in whole lines. Several processes that write to one file or pipe would mix the
 * parts of their lines.
 */
export function passWholeLines(from: Readable, to: Writable): void {
  let rest: Buffer[] = [];
  let size = 0;
  const write = (chunk: Buffer) => {
    if (!writeOut(to, chunk, () => from.resume())) from.pause();
  };
  const flush = (last?: Buffer) => {
    const whole = last ? [...rest, last] : rest;
    rest = [];
    size = 0;
    if (whole.length > 0) write(Buffer.concat(whole));
  };
  from.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(0x0a) + 1;
    if (end > 0) flush(chunk.subarray(0, end));
    if (end < chunk.length) rest.push(chunk.subarray(end));
    size += chunk.length - end;
    if (size > LONGEST_LINE) flush();
  });
  from.on('end', () => {
    if (size > 0) flush(Buffer.from('\n'));
  });
}
