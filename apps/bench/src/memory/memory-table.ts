import { describeRun, formatNumber, formatTable } from '../report/format.js';
import type { MemoryResults, MemoryRow } from '../report/results.js';
import { summarize } from '../report/statistics.js';

/** The table of docs/performance.md, and what it says of the run. */
export function memoryTable(run: MemoryResults): string {
  const head = [
    'server with ten tools',
    'Node',
    'idle: heap',
    'idle: resident',
    'heap of a call in flight',
    `heap after ${formatNumber(run.minutes / 10)} and ${formatNumber(run.minutes)} minutes of load`,
    'calls meanwhile',
    'own memory, V8 kept small',
  ];
  return [formatTable([head, ...run.rows.map(line)]), '', describeRun(run)].join('\n');
}

function line({ title, node, idle, inFlight, load, calls, small }: MemoryRow): string[] {
  return [
    title,
    node.split('.', 2).join('.'),
    megabytes(median(idle.map(({ heap }) => heap))),
    megabytes(median(idle.map(({ rss }) => rss))),
    inFlight ? `${formatNumber(median(inFlight) / 1_000)} KB` : '-',
    `${megabytes(load[0]!.heap)}, ${megabytes(load.at(-1)!.heap)}`,
    formatNumber(calls),
    small === undefined ? '-' : megabytes(small),
  ];
}

const megabytes = (bytes: number) => `${formatNumber(bytes / 1_000_000)} MB`;
const median = (values: readonly number[]) => summarize(values).median;
