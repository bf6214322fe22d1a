import { resolve } from 'node:path';
import type { McpServer } from '@toolwright/core';
import { digest } from '@toolwright/core/extend';
import { optionRules, type OptionSchema, parseOptions, requireServer } from '@toolwright/core/options';
import { systemClock } from '@toolwright/core/ports';
import { revisions } from '@toolwright/core/transport';
import { present, RECORDING_FORMAT, type RecordingHeader } from '@toolwright/json';
import { RecordingFiles } from './recording-files.js';

export interface RecordOptions {
  /** Where the messages go: JSON Lines, which only the user of the process may read. */
  readonly file: string;
  /** How many bytes one file may have. Default: 64 MB. */
  readonly maxBytes?: number;
  /** How many files are kept: the newest one, and older ones with a number behind their name. Default: 3. */
  readonly files?: number;
}

/** A recording that goes on. */
export interface Recorder {
  readonly file: string;
  /** How many messages it has. */
  readonly messages: number;
  /** Ends the recording. The server goes on. */
  close(): void;
}

const { filledText, positiveCount, required } = optionRules;

const rules = {
  file: required(filledText),
  maxBytes: { ...positiveCount, default: 64 * 1024 * 1024 },
  files: { ...positiveCount, default: 3 },
} satisfies OptionSchema<RecordOptions>;

/**
 * Records what clients and a server say to each other, as `server.on('message')` tells it: values that are marked sensitive are
 * hidden, and tokens never were there.
 *
 * @example
 * const recorder = recordTo(server, { file: 'calls.jsonl' });
 * @throws {ConfigurationError} if the file cannot be written
 */
export function recordTo(server: McpServer, options: RecordOptions): Recorder {
  requireServer('recordTo', server);
  const { file: named, ...limits } = parseOptions('recordTo', rules, options);
  const file = resolve(named);
  const files = new RecordingFiles({ file, ...limits }, headersOf(server));
  const stop = server.on('message', (seen) => files.add(seen));
  return {
    file,
    get messages() {
      return files.messages;
    },
    close() {
      stop();
      files.close();
    },
  };
}

/** Makes the header of each file. */
function headersOf(server: McpServer): () => RecordingHeader {
  const { name, version } = server.info;
  const began = systemClock.now();
  const reads = new Map<string, boolean>();
  const contract = contractOf(server);
  return () => {
    // A name may be that of several tools, and of one that is changed while the server runs.
    for (const tool of server.tools.list({ unlisted: true }))
      reads.set(tool.name, tool.annotations.readOnlyHint === true && reads.get(tool.name) !== false);
    return present({
      recording: RECORDING_FORMAT,
      server: { name, version },
      began,
      // They are sorted, the oldest first.
      revision: revisions.at(-1),
      contract,
      reads: Object.fromEntries(reads),
    });
  };
}

/** What callers of the tools depend on, in a few characters: two builds with the same digest have the same tools. */
function contractOf(server: McpServer): string {
  const tools = server.tools.list({ unlisted: true });
  return digest(tools.map((tool) => tool.contract).sort()).slice(0, 16);
}
