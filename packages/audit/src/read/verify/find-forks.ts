import type { ChainSeal } from '../../chain/seal.js';
import type { LogPaths } from '../../files/log-paths.js';
import { readBatches } from '../read-batches.js';
import type { OnBroken } from '../read-since.js';
import { listSegments, readFirstEntry } from '../segments.js';
import type { WriterReport } from './verify-report.js';
import type { VerifiedLog, VerifyEnvironment } from './verify-writer.js';

/** The files of one writer in one log. */
interface Chain {
  readonly writer: WriterReport;
  readonly environment: VerifyEnvironment;
}

/**
 * Each chain may be right by itself, and two of one writer contradict each other: somebody has copied a log, and both copies
 * went on, or one of them was written anew. Only chains of which there are several are read once more.
 */
export async function findForks(logs: readonly VerifiedLog[]): Promise<void> {
  const chains = new Map<string, Chain[]>();
  for (const { report, environment } of logs)
    for (const writer of report.writers.filter(({ batches }) => batches > 0))
      chains.set(writer.writer, [...(chains.get(writer.writer) ?? []), { writer, environment }]);
  for (const same of chains.values()) {
    // Where two chains differ, the longest one differs from one of them.
    const [longest, ...others] = same.sort((one, other) => other.writer.batches - one.writer.batches);
    for (const other of others) await compare(longest!, other);
  }
}

async function compare(one: Chain, other: Chain): Promise<void> {
  const batch = await firstDifference(sealsIn(one), sealsIn(other));
  for (const [own, foreign] of [
    [one, other],
    [other, one],
  ] as const) {
    const { writer } = own.writer;
    const [file, there] = [fileOf(own), fileOf(foreign)];
    if (batch === undefined) own.environment.note(`writer ${writer} of ${file} is in ${there}, too`);
    else {
      const message = anotherBatch(batch, writer, there);
      own.environment.problem({ kind: 'fork', message, file });
    }
  }
}

const fileOf = ({ environment, writer }: Chain): string => environment.log.writer(writer.slot).current;

const anotherBatch = (batch: number, writer: string, file: string): string =>
  `batch ${batch} of writer ${writer} is another one in ${file}`;

/**
 * Tells the forks within one log. Each of its slots has a writer of its own, so that two of one writer are a copy that
 * somebody put there. Only then their chains are read.
 */
export async function tellForksWithin(
  log: LogPaths,
  slots: readonly number[],
  onBroken: OnBroken,
): Promise<void> {
  const seen = new Map<string, number>();
  for (const slot of slots) {
    const [first] = await listSegments(log, slot);
    const writer = first && (await readFirstEntry(first.path))?.writer;
    if (writer === undefined) continue;
    const before = seen.get(writer);
    if (before === undefined) seen.set(writer, slot);
    else {
      const batch = await firstDifference(sealsOf(log, before), sealsOf(log, slot));
      const [file, there] = [log.writer(slot).current, log.writer(before).current];
      if (batch !== undefined) onBroken(`${file}: ${anotherBatch(batch, writer, there)}`);
    }
  }
}

const sealsIn = ({ environment, writer }: Chain) => sealsOf(environment.log, writer.slot);

async function* sealsOf(log: LogPaths, slot: number): AsyncGenerator<ChainSeal> {
  for (const segment of await listSegments(log, slot))
    for await (const { seal } of readBatches(segment)) if (seal) yield seal;
}

/** The first batch that two chains have and that is not the same. Retention may have deleted the first ones of one of them. */
async function firstDifference(
  one: AsyncGenerator<ChainSeal>,
  other: AsyncGenerator<ChainSeal>,
): Promise<number | undefined> {
  try {
    let [a, b] = [await one.next(), await other.next()];
    while (!a.done && !b.done) {
      if (a.value.batch === b.value.batch && a.value.hash !== b.value.hash) return a.value.batch;
      const behind = a.value.batch - b.value.batch;
      if (behind <= 0) a = await one.next();
      if (behind >= 0) b = await other.next();
    }
    return undefined;
  } finally {
    await one.return(undefined);
    await other.return(undefined);
  }
}
