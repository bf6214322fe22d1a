import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ConfigurationError } from '@toolwright/core';
import {
  isObject,
  makeFolder,
  reasonOf,
  RECORDING_FORMAT,
  type RecordedLine,
  type RecordingHeader,
  RecordingLines,
  type SeenMessage,
} from '@toolwright/json';

/** Others may neither read nor write it: results of tools are in it. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** A message with more bytes is left out, and a note says so. */
const MAX_MESSAGE = 4 * 1024 * 1024;

/** As much of a file is read to see whether it is a recording. */
const FIRST_BYTES = 4_096;

export interface RecordingPlace {
  readonly file: string;
  /** How large one file becomes. */
  readonly maxBytes: number;
  /** How many files there are: the newest one, and older ones with a number behind their name. */
  readonly files: number;
}

/**
 * The files of one recording. A message is on the disk when `add` returns, so a process that is killed loses none. When a file
 * is full, it gets the name `calls.jsonl.1`, and the next one begins with a header, too.
 */
export class RecordingFiles {
  messages = 0;
  #file: number | undefined;
  #bytes = 0;
  /** How many bytes the header takes. */
  #start = 0;
  readonly #lines: RecordingLines;

  /** @throws {ConfigurationError} if the file cannot be made, or is something else */
  constructor(
    private readonly place: RecordingPlace,
    private readonly headerNow: () => RecordingHeader,
  ) {
    this.#lines = new RecordingLines(headerNow().began);
    requireRecording(place.file);
    try {
      makeFolder(dirname(place.file), PRIVATE_FOLDER);
      this.#begin();
    } catch (error) {
      throw unusable(
        `${place.file} cannot be written: ${reasonOf(error)}.`,
        'Name a file in a folder that you own.',
      );
    }
  }

  /** @throws {Error} if the disk takes no more: nothing is recorded from then on */
  add(seen: SeenMessage): void {
    if (this.#file === undefined) return;
    try {
      const text = textOf(this.#lines.of(seen));
      if (this.#bytes > this.#start && this.#bytes + Buffer.byteLength(text) > this.place.maxBytes)
        this.#begin();
      this.#write(text);
      this.messages++;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Begins a new file. The one that is there becomes the newest of the older ones. */
  #begin(): void {
    this.close();
    const { file, files } = this.place;
    const nameOf = (age: number) => (age === 0 ? file : `${file}.${age}`);
    if (existsSync(file)) {
      rmSync(nameOf(files - 1), { force: true });
      for (let age = files - 2; age >= 0; age--)
        if (existsSync(nameOf(age))) renameSync(nameOf(age), nameOf(age + 1));
    }
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
    this.#file = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE_FILE);
    this.#bytes = 0;
    this.#write(`${JSON.stringify(this.headerNow())}\n`);
    this.#start = this.#bytes;
  }

  #write(text: string): void {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length;) written += writeSync(this.#file!, bytes, written);
    this.#bytes += bytes.length;
  }
}

/** A line. A message that is too long keeps what says which one it is. */
function textOf(line: RecordedLine): string {
  const text = `${JSON.stringify(line)}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_MESSAGE) return text;
  const { id, method } = isObject(line.message) ? line.message : {};
  return `${JSON.stringify({ ...line, message: { id, method, leftOut: bytes } })}\n`;
}

/** A file that is there is replaced only if it is a recording. */
function requireRecording(file: string): void {
  if (!existsSync(file)) return;
  const isOne = lstatSync(file).isFile() && isHeader(firstLineOf(file));
  if (!isOne)
    throw unusable(`${file} is there, and is no recording.`, 'Name another file, or remove this one.');
}

function firstLineOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(FIRST_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes)).split('\n', 1)[0]!;
  } finally {
    closeSync(file);
  }
}

function isHeader(line: string): boolean {
  // A header may be longer than what was read of it.
  return Number(/^\s*\{\s*"recording"\s*:\s*(\d+)\s*,/.exec(line)?.[1]) === RECORDING_FORMAT;
}

function unusable(message: string, fix: string): ConfigurationError {
  return new ConfigurationError({ code: 'TW_RECORDING_FILE', message, fix });
}
