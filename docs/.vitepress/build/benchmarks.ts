import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '../../../apps/bench/src/report/results.js';
import { problems, workloadTables } from '../../../apps/bench/src/report/tables.js';
import { workloads } from '../../../apps/bench/src/workloads/catalogue.js';
import type { Page } from './page.js';
import { root } from './workspace.js';

/** All published figures, by the tables that the bench itself prints. */
export function benchmarkPage(): Page {
  const results = JSON.parse(readFileSync(join(root, 'docs/benchmarks.json'), 'utf8')) as Results;
  const { date, machine, load, rounds, seconds, nodes, versions } = results;
  const measured = workloads.filter(({ name }) =>
    results.measurements.some(({ workload }) => workload === name),
  );
  const failed = problems(results);
  const lines = [
    '# Benchmarks',
    'These are all figures of the last published run of `pnpm bench`. [Performance](/performance.md) says what they mean, and what you can do to be fast.',
    `The run was on ${date.slice(0, 10)}, on ${machine.cores} cores of ${machine.processor} (${machine.platform})${machine.load ? `, with a load of ${machine.load[0].toFixed(1)} before it` : ''}. ${machine.pinned ? 'The servers took turns on one core. ' : ''}The load came from ${load}. Each figure is the median of up to ${rounds} rounds of ${seconds} seconds, with its quartiles. A ratio compares with the first server that the table names, within the same round.`,
    'The same figures, round by round, are in [benchmarks.json](/benchmarks.json).',
    '## Versions',
    [
      `- Node.js: ${nodes.join(' and ')}`,
      ...Object.entries(versions).map(([name, version]) => `- \`${name}\` ${version}`),
    ].join('\n'),
    '## Tables',
    workloadTables(measured, results),
    ...(failed === '' ? [] : ['## What failed', failed]),
  ];
  return { path: 'benchmarks.md', markdown: `${lines.join('\n\n')}\n` };
}
