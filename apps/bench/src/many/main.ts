import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateOnce } from '../generate/generate.js';
import { cleanUpAtExit } from '../processes/clean-up.js';
import { findNodes, type NodeBinary } from '../processes/node-versions.js';
import { beginRun } from '../processes/run-conditions.js';
import { publishSection, writeTable } from '../report/files.js';
import type { LargeFigures, LargeResults } from '../report/results.js';
import { ratiosOf, summarize } from '../report/statistics.js';
import { largeTable } from './large-table.js';
import { type LargeRow, largeRows } from './rows.js';

const SIZES = [1_000, 5_000] as const;

/** What a server of 5,000 tools costs for each tool, beside one of 1,000. The sizes take turns. */
function main(): void {
  cleanUpAtExit();
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      nodes: { type: 'string', default: 'current,24' },
      rows: { type: 'string' },
      publish: { type: 'boolean', default: false },
    },
  });
  const rows = largeRows.filter(({ name }) => values.rows?.split(',').includes(name) ?? true);
  const generated = generateOnce();
  const nodes = findNodes(values.nodes.split(','));
  const rounds = Number(values.rounds);
  const conditions = beginRun(rounds);
  const figures = nodes.flatMap((node) =>
    rows.map((row) => {
      console.error(`Node ${node.version}: ${row.title}`);
      return measureRow(row, node, { rounds, generated });
    }),
  );
  const results: LargeResults = { ...conditions(), rows: figures };
  console.log(largeTable(results));
  if (!values.publish) return;
  console.error(`Written to ${publishSection({ large: results })}, ${writeTable('large', largeTable)}`);
}

function measureRow(
  row: LargeRow,
  { version, path }: NodeBinary,
  { rounds, generated }: { rounds: number; generated: (tools: number) => string },
): LargeFigures {
  const samples = SIZES.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    SIZES.forEach((tools, index) => {
      const folder = row.needsBuild ? generated(tools) : '';
      const args = ['--expose-gc', join(__dirname, 'row-process.js'), row.name, String(tools), folder];
      const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
      samples[index]!.push(Number(execFileSync(path, args, { encoding: 'utf8', stdio })));
    });
  return {
    row: row.name,
    title: row.title,
    unit: row.unit,
    node: version,
    tools: [...SIZES],
    samples,
    growth: summarize(ratiosOf(perTool(samples, 1), perTool(samples, 0))).median,
  };
}

const perTool = (samples: readonly number[][], size: number) =>
  samples[size]!.map((value) => value / SIZES[size]!);

main();
