import { describeRun, formatNumber, formatTable } from '../report/format.js';
import type { CallersResults, CallersRow, CallRound } from '../report/results.js';
import { summarize, summarizeRatio } from '../report/statistics.js';

/** The table of docs/performance.md, and what it says of the run. */
export function callersTable(run: CallersResults): string {
  const { rows } = run;
  const head = [
    'what a server holds',
    'Node',
    'heap of each',
    'resident memory of each',
    'CPU of a call',
    'p99 of a call',
    'a change: CPU for each',
    'a change: p99 until heard',
  ];
  return [formatTable([head, ...rows.map(line)]), '', describeRun(run)].join('\n');
}

function line({ title, count, node, heap, resident, holding, empty, changes }: CallersRow): string[] {
  const [cpu, p99] = (['cpu', 'p99'] as const).map((name) => {
    const unit = name === 'cpu' ? 'µs' : 'ms';
    const ratio = summarizeRatio(valuesOf(holding, name), valuesOf(empty, name)).median;
    return `${formatNumber(median(holding, name))} ${unit} (${ratio.toFixed(2)}x)`;
  });
  return [
    `${new Intl.NumberFormat('en').format(count)} ${title}`,
    node.split('.', 2).join('.'),
    kilobytes(heap),
    kilobytes(resident),
    cpu!,
    p99!,
    changes ? `${formatNumber(median(changes, 'cpu'))} µs` : '-',
    changes ? `${formatNumber(median(changes, 'p99'))} ms` : '-',
  ];
}

const kilobytes = (bytes: number) => `${formatNumber(bytes / 1_000)} KB`;
const valuesOf = (rounds: readonly CallRound[], name: keyof CallRound) => rounds.map((round) => round[name]);
const median = (rounds: readonly CallRound[], name: keyof CallRound) =>
  summarize(valuesOf(rounds, name)).median;
