import { extname, resolve } from 'node:path';
import { ConfigurationError, type McpServer } from '@toolwright/core';
import { count, type PackageCommand, SERVER_OBSERVER } from '@toolwright/json';
import { type Recorder, recordTo } from '../record/record-to.js';

/** Where the command writes to, and how it runs an app. */
export interface RecordConsole {
  readonly cwd: string;
  err(text: string): void;
  /** Runs a built app in this process, as `toolwright start` does. */
  start(entry: string | undefined, args: readonly string[]): void;
}

/** `toolwright record`: runs an app, and records each server that it makes. */
export const recordCommand: PackageCommand<RecordConsole, readonly string[]> = {
  words: ['record'],
  description: 'run a built app, and record what its clients and it say to each other',
  argument: {
    name: 'entry...',
    description: 'the compiled file that starts it, and its arguments; default: what package.json starts',
    optional: true,
  },
  options: [
    { flag: '-o, --out <file>', description: 'where the recording goes (recording.jsonl)' },
    { flag: '--max-bytes <count>', description: 'how large one file becomes (64 MB)' },
    { flag: '--files <count>', description: 'how many files are kept, the older ones with a number (3)' },
  ],
  help: [
    '\nOptions of record are before the entry. It works over HTTP, and on standard input and output: write this command where a host starts the app.',
    'Values that are marked sensitive are hidden. Everything else that tools get and answer is in the file.',
    '\nExamples:\n  $ toolwright record dist/main.js\n  $ toolwright record --out calls.jsonl dist/main.js --stdio',
  ].join('\n'),
  passThrough: true,
  run: record,
};

function record(
  words: readonly string[] | undefined,
  values: Readonly<Record<string, unknown>>,
  console: RecordConsole,
): Promise<number> {
  const [entry, ...args] = words ?? [];
  const file = resolve(console.cwd, typeof values['out'] === 'string' ? values['out'] : 'recording.jsonl');
  const limits = { ...numberIn(values, 'maxBytes'), ...numberIn(values, 'files') };
  const recorders: Recorder[] = [];
  Object.assign(globalThis, {
    [SERVER_OBSERVER]: (server: McpServer) => {
      const recorder = recordTo(server, { file: numbered(file, recorders.length + 1), ...limits });
      recorders.push(recorder);
      console.err(`Recording ${server.info.name} into ${recorder.file}.`);
    },
  });
  process.once('exit', () => {
    for (const { file: path, messages } of recorders)
      console.err(`${path} has ${count(messages, 'message')}.`);
  });
  try {
    console.start(entry, args);
    return Promise.resolve(0);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.err(error.message);
    return Promise.resolve(1);
  }
}

/** The recorder refuses a text that is not a number, and names the option. */
function numberIn(values: Readonly<Record<string, unknown>>, name: string): Record<string, number> {
  const value = values[name];
  return value === undefined ? {} : { [name]: Number(value) };
}

/** An app may make several servers: each has a file of its own. */
function numbered(file: string, number: number): string {
  if (number === 1) return file;
  const end = extname(file);
  return `${file.slice(0, file.length - end.length)}-${number}${end}`;
}
