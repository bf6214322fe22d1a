import type { RunConditions } from './results.js';
import type { Summary } from './statistics.js';

/** Three significant digits, grouped: `4,120`, `41.2`, `0.412`. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(value);
}

/** Median and quartiles, where these differ. */
export function formatSummary(summary: Summary | undefined): string {
  if (!summary || Number.isNaN(summary.median)) return '-';
  const { median, low, high } = summary;
  if (low === high) return formatNumber(median);
  return `${formatNumber(median)} (${formatNumber(low)}-${formatNumber(high)})`;
}

export function formatRatio(summary: Summary | undefined): string {
  return summary && Number.isFinite(summary.median) ? `${summary.median.toFixed(2)}x` : '-';
}

/** A table in Markdown, its columns aligned so that it reads well in a terminal too. */
export function formatTable(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [head, ...body] = rows;
  return [line(head!), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

/** What figures of so many rounds are. */
const medians = (rounds: number) => (rounds === 1 ? 'One round' : `Medians of ${rounds} rounds`);

/** What a page says of a run below its table. */
export function describeRun(run: RunConditions, cores?: number): string {
  const { date, processor, commit, load, realTime, rounds } = run;
  const machine = [
    ...(processor ? [processor] : []),
    ...(cores === undefined ? [] : [`${cores} cores`]),
    ...(commit ? [`commit ${commit}`] : []),
    ...(realTime ? ['with real-time priority'] : []),
  ]
    .map((each) => `, ${each}`)
    .join('');
  const busy = `load ${load[0].toFixed(1)} before the run and ${load[1].toFixed(1)} after it`;
  return `${medians(rounds)} on ${date.slice(0, 10)}${machine} (${busy}).`;
}
