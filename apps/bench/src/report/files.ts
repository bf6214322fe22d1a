import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { docsFolder, outputFolder } from '../folders.js';
import type { Workload } from '../workloads/workload.js';
import { chart } from './chart.js';
import type { LargeResults, Results } from './results.js';

/** The workloads whose pictures say most. */
const CHARTED = ['call-usual', 'call-10', 'call-1000', 'list-1000', 'call-session'];

/** Keeps the figures of this run, and returns the file's path. */
export function writeResults(results: Results): string {
  return write(outputFolder, 'benchmarks.json', json(results));
}

/** Puts the figures and a chart of them into the documentation. */
export function publish(workloads: Workload[], results: Results): string[] {
  // What large servers cost is measured by another command.
  const { large } = publishedResults();
  const { measurements, ...about } = results;
  const published = json({ ...about, ...(large && { large }), measurements });
  return [
    write(docsFolder, 'benchmarks.json', published),
    write(docsFolder, 'benchmarks.svg', publishedChart(workloads, JSON.parse(published) as Results)),
  ];
}

/** Puts what large servers cost beside the published figures, and returns the file's path. */
export function publishLarge(large: LargeResults): string {
  const { measurements, ...about } = publishedResults();
  return write(docsFolder, 'benchmarks.json', json({ ...about, large, measurements }));
}

const publishedResults = () =>
  JSON.parse(readFileSync(join(docsFolder, 'benchmarks.json'), 'utf8')) as Results;

/** The picture of the figures in `docs/benchmarks.json`. */
export const publishedChart = (workloads: Workload[], results: Results) =>
  chart(
    workloads.filter(
      ({ name }) => CHARTED.includes(name) && results.measurements.some(({ workload }) => workload === name),
    ),
    results,
  );

/** Four significant digits are more than a benchmark knows. */
function json(results: Results): string {
  const round = (_key: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  return `${JSON.stringify(results, round, 2)}\n`;
}

function write(folder: string, name: string, content: string): string {
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, content);
  return file;
}
