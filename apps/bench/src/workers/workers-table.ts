import { describeRun, formatNumber, formatRatio, formatSummary, formatTable } from '../report/format.js';
import type { WorkersResults } from '../report/results.js';
import { summarize, summarizeRatio } from '../report/statistics.js';

/** The table of docs/performance.md, and what it says of the run. */
export function workersTable(run: WorkersResults): string {
  const { rows } = run;
  const head = ['server', 'Node', 'CPU of a call', 'calls per CPU second', 'calls per second'];
  const lines = rows.map(({ name, base, node, figures }) => {
    const others = rows.find((row) => row.name === base && row.node === node)!.figures;
    const perCpu = summarizeRatio(
      others.map(({ cpu }) => cpu),
      figures.map(({ cpu }) => cpu),
    );
    const rate = summarizeRatio(
      figures.map((each) => each.rate),
      others.map((each) => each.rate),
    );
    const isBase = name === base;
    return [
      name,
      node.split('.', 2).join('.'),
      `${formatSummary(summarize(figures.map(({ cpu }) => cpu)))} µs`,
      isBase ? '-' : `${perCpu.median.toFixed(2)}x (${perCpu.low.toFixed(2)}-${perCpu.high.toFixed(2)})`,
      formatNumber(summarize(figures.map((each) => each.rate)).median),
      isBase ? '-' : formatRatio(rate),
    ];
  });
  return [formatTable([[...head, 'by the clock'], ...lines]), '', describeRun(run, run.cores)].join('\n');
}
