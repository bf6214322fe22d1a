import type { ChainSeal } from '../../chain/seal.js';
import { readBatches } from '../read-batches.js';
import { listSegments } from '../segments.js';
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
  const batch = await firstDifference(sealsOf(one), sealsOf(other));
  for (const [own, foreign] of [
    [one, other],
    [other, one],
  ] as const) {
    const { writer } = own.writer;
    const [file, there] = [fileOf(own), fileOf(foreign)];
    if (batch === undefined) own.environment.note(`writer ${writer} of ${file} is in ${there}, too`);
    else {
      const message = `batch ${batch} of writer ${writer} is another one in ${there}`;
      own.environment.problem({ kind: 'fork', message, file });
    }
  }
}

const fileOf = ({ environment, writer }: Chain): string => environment.log.writer(writer.slot).current;

async function* sealsOf({ environment, writer }: Chain): AsyncGenerator<ChainSeal> {
  for (const segment of await listSegments(environment.log, writer.slot))
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
