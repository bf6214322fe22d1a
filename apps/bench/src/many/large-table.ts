import { describeRun, formatNumber, formatRatio, formatTable } from '../report/format.js';
import type { LargeFigures, LargeResults } from '../report/results.js';
import { summarize } from '../report/statistics.js';

/** The table of docs/performance.md, and what it says of the run. */
export function largeTable(run: LargeResults): string {
  const sizes = (run.rows[0]?.tools ?? []).map(
    (tools) => `${new Intl.NumberFormat('en').format(tools)} tools`,
  );
  const head = ['what', 'Node', 'unit', ...sizes, 'each tool costs'];
  return [formatTable([head, ...run.rows.map(line)]), '', describeRun(run)].join('\n');
}

function line({ title, node, unit, samples, growth }: LargeFigures): string[] {
  return [
    title,
    node.split('.', 2).join('.'),
    unit,
    ...samples.map((each) => formatNumber(summarize(each).median)),
    formatRatio({ median: growth, low: growth, high: growth }),
  ];
}
