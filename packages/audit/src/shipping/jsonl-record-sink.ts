import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { writeJson } from '@toolwright/core/transport';
import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { AuditRecord } from '../record.js';
import { RecentIds, type RecordSink } from './record-sink.js';

export interface JsonlRecordSinkOptions {
  file: string;
  /** The name of the sink. Default `jsonl`. Set it when there are several. */
  name?: string;
}

const { filledText, required } = optionRules;

const jsonlOptions = {
  file: required(filledText),
  name: { ...filledText, default: 'jsonl' },
} satisfies OptionSchema<JsonlRecordSinkOptions>;

/** This is more than one write of this sink can leave unfinished. */
const LAST_BYTES = 16 * 1024 * 1024;

/**
 * Keeps a second copy of the records, one per line and without the chain. It is for another disk, or for a
 * log collector that reads files. When it opens, it reads the ids that it already has, so that a record that
 * is sent twice is stored once.
 */
export async function jsonlRecordSink(options: JsonlRecordSinkOptions): Promise<RecordSink> {
  const { file, name } = parseOptions('jsonlRecordSink', jsonlOptions, options);
  const handle = await open(file, 'a+', 0o640);
  const stored = await readIds(file, handle);
  return {
    name,
    async ship(records) {
      const fresh = records.filter(({ id }) => !stored.has(id));
      if (fresh.length === 0) return;
      await handle.appendFile(fresh.map((record) => `${writeJson(record)}\n`).join(''));
      await handle.datasync();
      for (const { id } of fresh) stored.add(id);
    },
    close: () => handle.close(),
  };
}

/** A last line without its end was never acknowledged. It is removed, and the log sends its record again. */
async function readIds(file: string, handle: FileHandle): Promise<RecentIds> {
  const ids = new RecentIds();
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const id = idOf(line);
    if (id !== undefined) ids.add(id);
  }
  await cutUnfinishedLine(handle);
  return ids;
}

function idOf(line: string): string | undefined {
  try {
    return (JSON.parse(line) as AuditRecord).id;
  } catch {
    return undefined;
  }
}

async function cutUnfinishedLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  const length = Math.min(size, LAST_BYTES);
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  const end = buffer.lastIndexOf('\n') + 1;
  if (end < length) await handle.truncate(size - length + end);
}
