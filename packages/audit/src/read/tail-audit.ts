import { type Duration, optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { logPaths, slotsOf, type LogPaths } from '../files/log-paths.js';
import type { AuditRecord } from '../record.js';
import { fits } from './audit-filter.js';
import { filesRule, someLogFiles } from './log-sources.js';
import { type QueryOptions, queryOptions } from './query-audit.js';
import { readSince, type OnBroken, type Position } from './read-since.js';
import { listSegments } from './segments.js';

export interface TailOptions extends Omit<QueryOptions, 'file' | 'onNote'> {
  /** The file of the log, or a list of files and patterns. */
  file: string | readonly string[];
  /** Aborting it ends the stream. */
  signal?: AbortSignal;
  /** How many existing records to begin with. They come from the files that are being written. Default 10. */
  last?: number;
  /** How often to look for new records. Default 250 ms. More than 0, at most a day. */
  pollInterval?: Duration;
}

const { count, driverTimeout, named, required } = optionRules;
const { onNote: _onNote, ...reading } = queryOptions;

const tailOptions = {
  ...reading,
  file: required(filesRule),
  signal: optionRules.abortSignal,
  last: { ...named('a number of records', count), default: 10 },
  pollInterval: { ...driverTimeout, default: 250 },
} satisfies OptionSchema<TailOptions>;

/**
 * The last records that match the filter, and then each new one as soon as it is sealed. It follows rotations
 * and new writers. Of several logs, the records of one look come in the order of time.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is not a log, or if one of several is missing and nobody listens with `onBroken`
 */
export async function* tailAudit(options: TailOptions): AsyncGenerator<AuditRecord> {
  const { file, filter, signal, last, pollInterval, onBroken } = parseOptions(
    'tailAudit',
    tailOptions,
    options,
  );
  const files = await someLogFiles(file, { onBroken });
  const tails = await Promise.all(files.map((each) => LogTail.open(each, onBroken)));
  let before: AuditRecord[] = [];
  for (const tail of tails)
    for await (const record of tail.readNew())
      if (fits(record, filter)) before = [...before.slice(-last * tails.length), record];
  yield* last === 0 ? [] : before.sort(byTime).slice(-last);
  while (!signal?.aborted) {
    // An abort during the wait ends this loop, and does not throw into the caller's loop.
    await delay(pollInterval, undefined, { signal }).catch(() => undefined);
    const found: AuditRecord[] = [];
    for (const tail of tails) for await (const record of tail.readNew()) found.push(record);
    for (const record of tails.length === 1 ? found : found.sort(byTime))
      if (fits(record, filter)) yield record;
  }
}

const byTime = (one: AuditRecord, other: AuditRecord): number => one.time - other.time;

/** How far one log has been read. */
class LogTail {
  readonly #reported = new Set<string>();

  private constructor(
    private readonly log: LogPaths,
    private readonly positions: Map<number, Position>,
    private readonly onBroken: OnBroken | undefined,
  ) {}

  /** Complete files may be large and old, so this starts in the current files. `query` reads the others. */
  static async open(file: string, onBroken: OnBroken | undefined): Promise<LogTail> {
    const log = logPaths(resolve(file));
    const positions = new Map<number, Position>();
    for (const slot of await slotsOf(log, file)) {
      const newest = (await listSegments(log, slot)).at(-1);
      positions.set(slot, { segment: newest?.number ?? 1, offset: 0 });
    }
    return new LogTail(log, positions, onBroken);
  }

  /** Everything after the positions. The positions move forward. */
  async *readNew(): AsyncGenerator<AuditRecord> {
    for (const slot of await this.log.slots()) {
      const start = this.positions.get(slot) ?? { segment: 0, offset: 0 };
      const onBroken = this.onBroken && ((text: string) => this.#tell(text));
      for await (const { records, position } of readSince(this.log, slot, { position: start, onBroken })) {
        yield* records;
        this.positions.set(slot, position);
      }
    }
  }

  /** What follows the last seal is read again with each look. */
  #tell(text: string): void {
    if (this.#reported.has(text)) return;
    this.#reported.add(text);
    this.onBroken!(text);
  }
}
