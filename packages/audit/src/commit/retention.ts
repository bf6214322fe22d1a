import { stat } from 'node:fs/promises';
import type { AuditRetention, Clock } from '@toolwright/core/ports';
import type { WithDefaults } from '@toolwright/core/options';
import type { LogPaths } from '../files/log-paths.js';
import type { LogStorage } from '../files/log-storage.js';
import { readLastSeal } from '../read/read-last-seal.js';
import type { LogWriter } from './log-writer.js';

export interface RetentionEnvironment {
  log: LogPaths;
  slot: number;
  storage: LogStorage;
  clock: Clock;
  retain: WithDefaults<AuditRetention>;
  /** The first segment that some sink has not received completely. This segment and all after it are kept. */
  firstUnshipped(): number;
}

/**
 * Deletes the oldest complete files that the options no longer keep. Before that, it writes into the chain
 * where the chain is cut. If a file is missing without such an entry, somebody else removed it.
 */
export async function retireSegments(writer: LogWriter, environment: RetentionEnvironment): Promise<void> {
  const { log, slot, storage } = environment;
  const paths = log.writer(slot);
  const numbers = await log.rotatedSegments(slot);
  const through = await lastToRetire(numbers, environment);
  if (through === undefined) return;
  const seal = await readLastSeal(paths.rotated(through));
  // The file is not as the writer left it. Evidence is never deleted.
  if (!seal) return;
  await writer.retire(through, seal.hash);
  for (const number of numbers.filter((candidate) => candidate <= through))
    await storage.remove(paths.rotated(number));
}

async function lastToRetire(
  numbers: readonly number[],
  { log, slot, clock, retain, firstUnshipped }: RetentionEnvironment,
): Promise<number | undefined> {
  const { files = Infinity, maxAge = Infinity, maxBytes = Infinity } = retain;
  if (files === Infinity && maxAge === Infinity && maxBytes === Infinity) return undefined;
  const oldest = clock.now() - maxAge;
  let kept = 0;
  let bytes = 0;
  for (const number of [...numbers].sort((a, b) => b - a)) {
    const { size, mtimeMs } = await stat(log.writer(slot).rotated(number));
    kept += 1;
    bytes += size;
    const retired = kept > files || bytes > maxBytes || mtimeMs < oldest;
    if (retired && number < firstUnshipped()) return number;
  }
  return undefined;
}
