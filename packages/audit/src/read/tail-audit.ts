import { type Duration, optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { noLog } from '../errors/audit-error.js';
import { logPaths, type LogPaths } from '../files/log-paths.js';
import type { AuditRecord } from '../record.js';
import { fits } from './audit-filter.js';
import { type OneLogOptions, oneLogOptions } from './query-audit.js';
import { readSince, type OnBroken, type Position } from './read-since.js';
import { listSegments } from './segments.js';

export interface TailOptions extends OneLogOptions {
  /** Aborting it ends the stream. */
  signal?: AbortSignal;
  /** How many existing records to begin with. They come from the files that are being written. Default 10. */
  last?: number;
  /** How often to look for new records. Default 250 ms. More than 0, at most a day. */
  pollInterval?: Duration;
}

const { count, driverTimeout, named } = optionRules;

const tailOptions = {
  ...oneLogOptions,
  signal: optionRules.abortSignal,
  last: { ...named('a number of records', count), default: 10 },
  pollInterval: { ...driverTimeout, default: 250 },
} satisfies OptionSchema<TailOptions>;

/**
 * The last records that match the filter, and then each new one as soon as it is sealed. It follows rotations
 * and new writers.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is no log
 */
export async function* tailAudit(options: TailOptions): AsyncGenerator<AuditRecord> {
  const { file, filter, signal, last, pollInterval, onBroken } = parseOptions(
    'tailAudit',
    tailOptions,
    options,
  );
  const log = logPaths(resolve(file));
  const positions = await startOfCurrentFiles(log);
  if (positions.size === 0) throw noLog(file);
  let before: AuditRecord[] = [];
  for await (const record of readNew(log, positions, onBroken)) {
    if (fits(record, filter)) before = [...before.slice(-last), record];
  }
  yield* last === 0 ? [] : before.sort((a, b) => a.time - b.time).slice(-last);
  while (!signal?.aborted) {
    // An abort during the wait ends this loop, and does not throw into the caller's loop.
    await delay(pollInterval, undefined, { signal }).catch(() => undefined);
    for await (const record of readNew(log, positions, onBroken)) if (fits(record, filter)) yield record;
  }
}

/** Complete files may be large and old, so this starts in the current files. `query` reads the others. */
async function startOfCurrentFiles(log: LogPaths): Promise<Map<number, Position>> {
  const positions = new Map<number, Position>();
  for (const slot of await log.slots()) {
    const newest = (await listSegments(log, slot)).at(-1);
    positions.set(slot, { segment: newest?.number ?? 1, offset: 0 });
  }
  return positions;
}

/** Everything after the positions. The positions move forward. */
async function* readNew(
  log: LogPaths,
  positions: Map<number, Position>,
  onBroken: OnBroken | undefined,
): AsyncGenerator<AuditRecord> {
  for (const slot of await log.slots()) {
    const start = positions.get(slot) ?? { segment: 0, offset: 0 };
    for await (const { records, position } of readSince(log, slot, { position: start, onBroken })) {
      yield* records;
      positions.set(slot, position);
    }
  }
}
