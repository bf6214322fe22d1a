import { describeRun, formatNumber, formatTable } from '../report/format.js';
import type { PeerFigures, PeerRow, PeersResults } from '../report/results.js';
import { summarize, summarizeRatio } from '../report/statistics.js';

/** The table of docs/performance.md: a row for each server, compared with the first one. */
export function peersTable(run: PeersResults): string {
  const { rows } = run;
  const nodes = [...new Set(rows.flatMap((row) => row.nodes.map(({ node }) => node)))];
  const head = [
    'server',
    'installs',
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
  return [formatTable([head, ...rows.map(line)]), '', describeRun(run)].join('\n');
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
