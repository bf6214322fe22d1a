import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import {
  isObject,
  reasonOf,
  RECORDING_FORMAT,
  type RecordedLine,
  type RecordingHeader,
} from '@toolwright/json';
import { RecordingError } from '../errors.js';

/** A file of another program is not read to its end. */
const MAX_FILE = 512 * 1024 * 1024;
const MAX_LINE = 16 * 1024 * 1024;

/** What a file says of the traffic of a server. */
export interface TrafficRecording {
  readonly header: RecordingHeader;
  /** The messages, oldest first. */
  readonly messages: readonly RecordedLine[];
  /** Whether the last line is not whole: the process was ended while it wrote. */
  readonly isTorn: boolean;
}

/**
 * Reads a recording, of `recordTo`, `toolwright record` or the console.
 *
 * @throws {RecordingError} for any other file
 */
export async function readRecording(path: string): Promise<TrafficRecording> {
  const name = basename(path);
  let header: RecordingHeader | undefined;
  const messages: RecordedLine[] = [];
  let torn: number | undefined;
  let number = 0;
  for await (const line of linesOf(path, name)) {
    number++;
    if (torn !== undefined) throw new RecordingError(`Line ${torn} of ${name} is no JSON.`);
    // Some editors put a mark of their own before the first letter.
    const value = parsed(number === 1 ? line.replace(/^\uFEFF/, '') : line);
    if (number === 1) header = headerIn(value, name);
    else if (line === '') continue;
    else if (isLine(value)) messages.push(value);
    // Only the last line may be: the next one throws.
    else if (value === undefined) torn = number;
    else throw new RecordingError(`Line ${number} of ${name} is no message.`);
  }
  if (!header) throw new RecordingError(`${name} is empty.`);
  return { header, messages, isTorn: torn !== undefined };
}

async function* linesOf(path: string, name: string): AsyncGenerator<string> {
  let rest = '';
  let bytes = 0;
  const stream = createReadStream(path, { encoding: 'utf8' });
  try {
    for await (const chunk of stream as AsyncIterable<string>) {
      bytes += Buffer.byteLength(chunk);
      if (bytes > MAX_FILE) throw new RecordingError(`${name} has more than ${MAX_FILE / 1024 / 1024} MB.`);
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      if (rest.length > MAX_LINE)
        throw new RecordingError(`${name} has a line of more than ${MAX_LINE / 1024 / 1024} MB.`);
      yield* lines;
    }
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(`${path} cannot be read: ${reasonOf(error)}.`);
  }
  if (rest !== '') yield rest;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function headerIn(value: unknown, name: string): RecordingHeader {
  if (!isObject(value) || typeof value['recording'] !== 'number' || !isObject(value['server']))
    throw new RecordingError(`${name} is no recording: its first line does not say so.`);
  if (value['recording'] !== RECORDING_FORMAT)
    throw new RecordingError(
      `${name} has format ${value['recording']}, and this version reads ${RECORDING_FORMAT}. Use the version of @toolwright/replay that wrote it.`,
    );
  return value as unknown as RecordingHeader;
}

function isLine(value: unknown): value is RecordedLine {
  if (!isObject(value)) return false;
  const { at, direction, channel } = value;
  return (
    typeof at === 'number' &&
    typeof channel === 'string' &&
    (direction === 'received' || direction === 'sent')
  );
}
