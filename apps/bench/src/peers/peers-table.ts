import { formatNumber, formatTable, medians } from '../report/format.js';
import type { PeerFigures, PeerRow, PeersResults } from '../report/results.js';
import { summarize, summarizeRatio } from '../report/statistics.js';

/** The table of docs/performance.md: a row for each server, compared with the first one. */
export function peersTable({ date, load, realTime, rounds, rows }: PeersResults): string {
  const nodes = [...new Set(rows.flatMap((row) => row.nodes.map(({ node }) => node)))];
  const head = [
    ...['server', 'installs'],
    ...nodes.flatMap((node) => {
      const name = `Node ${node.split('.', 2).join('.')}`;
      return [`start, ${name}`, `calls per CPU second, ${name}`];
    }),
  ];
  const figuresOf = (row: PeerRow | undefined, node: string) =>
    row?.nodes.find((figures) => figures.node === node);
  const line = (row: PeerRow) => [
    row.title,
    `${formatNumber(row.bytes / 1e6)} MB, ${row.packages} packages`,
    ...nodes.flatMap((node) => cells(figuresOf(row, node), figuresOf(rows[0], node))),
  ];
  const busy = `load ${load[0].toFixed(1)} before the run and ${load[1].toFixed(1)} after it`;
  return [
    formatTable([head, ...rows.map(line)]),
    '',
    `${medians(rounds)} on ${date.slice(0, 10)}${realTime ? ', with real-time priority' : ''} (${busy}).`,
  ].join('\n');
}

/** CPU of the start, and calls for a second of CPU. */
function cells(own: PeerFigures | undefined, plain: PeerFigures | undefined): [string, string] {
  if (!own) return ['-', '-'];
  if (own.problem !== undefined) return ['failed', 'failed'];
  const ratio = plain ? ` (${summarizeRatio(plain.cpu, own.cpu).median.toFixed(2)}x)` : '';
  return [
    `${formatNumber(summarize(own.start).median)} ms`,
    `${formatNumber(1e6 / summarize(own.cpu).median)}${ratio}`,
  ];
}
