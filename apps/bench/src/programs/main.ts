import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findNodes } from '../processes/node-versions.js';
import { processorName } from '../processes/run-conditions.js';
import { publishSection, writeTable } from '../report/files.js';
import { formatNumber, formatTable } from '../report/format.js';
import type { ProgramsResults } from '../report/results.js';
import { summarize } from '../report/statistics.js';
import { programRows } from './rows.js';

/** What a program of code mode costs: its start, its calls, its memory. */
function main(): void {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '7' },
      nodes: { type: 'string', default: 'current,24' },
      rows: { type: 'string' },
      publish: { type: 'boolean', default: false },
    },
  });
  const rows = programRows.filter(({ name }) => values.rows?.split(',').includes(name) ?? true);
  const before = loadavg()[0]!;
  const figures = findNodes(values.nodes.split(',')).flatMap(({ version, path }) =>
    rows.map(({ name, title, unit, target }) => {
      console.error(`Node ${version}: ${title}`);
      const samples = Array.from({ length: Number(values.rounds) }, () => sampleOf(path, name));
      return { row: name, title, unit, node: version, samples, ...(target !== undefined && { target }) };
    }),
  );
  const results: ProgramsResults = {
    date: new Date().toISOString(),
    processor: processorName(),
    load: [before, loadavg()[0]!],
    rows: figures,
  };
  console.log(tableOf(results));
  if (!values.publish) return;
  console.error(`Written to ${publishSection({ programs: results })}, ${writeTable('programs', tableOf)}`);
}

function sampleOf(node: string, row: string): number {
  const args = ['--expose-gc', join(__dirname, 'row-process.js'), row];
  return Number(execFileSync(node, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
}

function tableOf({ date, processor, load, rows }: ProgramsResults): string {
  const table = formatTable([
    ['what', 'Node', 'unit', 'median', 'least', 'most', 'target'],
    ...rows.map(({ title, node, unit, samples, target }) => [
      title,
      node,
      unit,
      formatNumber(summarize(samples).median),
      formatNumber(Math.min(...samples)),
      formatNumber(Math.max(...samples)),
      target === undefined ? '-' : `at most ${target}`,
    ]),
  ]);
  const loads = load.map((each) => each.toFixed(1)).join(' to ');
  return `Measured on ${date.slice(0, 10)}, ${processor}, with a load of ${loads}.\n\n${table}`;
}

main();
