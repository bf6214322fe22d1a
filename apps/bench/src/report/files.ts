import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { docsFolder, outputFolder } from '../folders.js';
import type { Workload } from '../workloads/workload.js';
import { chart } from './chart.js';
import type { Results } from './results.js';

/** The workloads whose pictures say most. */
const CHARTED = ['call-usual', 'call-10', 'call-1000', 'list-1000', 'call-session'];

/** Keeps the figures of this run, and returns the file's path. */
export function writeResults(results: Results): string {
  return write(outputFolder, 'benchmarks.json', json(results));
}

/** Puts the figures and a chart of them into the documentation. */
export function publish(workloads: Workload[], results: Results): string[] {
  const published = json(withSections(results, sectionsOf(publishedResults())));
  return [
    write(docsFolder, 'benchmarks.json', published),
    write(docsFolder, 'benchmarks.svg', publishedChart(workloads, JSON.parse(published) as Results)),
  ];
}

/** What commands of their own measure. A run of another one leaves it as it is. */
type Sections = Pick<Results, 'large' | 'callers' | 'workers' | 'peers' | 'programs' | 'memory'>;

/** Puts what another command has measured beside the published figures, and returns the file's path. */
export function publishSection(section: Sections): string {
  const results = publishedResults();
  return write(
    docsFolder,
    'benchmarks.json',
    json(withSections(results, { ...sectionsOf(results), ...section })),
  );
}

function sectionsOf({ large, callers, workers, peers, programs, memory }: Results): Sections {
  return {
    ...(large && { large }),
    ...(callers && { callers }),
    ...(workers && { workers }),
    ...(peers && { peers }),
    ...(programs && { programs }),
    ...(memory && { memory }),
  };
}

/** The sections stand before the measurements, which are long. */
function withSections({ measurements, ...about }: Results, sections: Sections): Results {
  return { ...about, ...sections, measurements };
}

/**
 * Writes the table of a published section into docs/performance.md, between `<!-- name -->` and `<!-- /name -->`, and returns
 * the file's path.
 */
export function writeTable<Name extends keyof Sections>(
  name: Name,
  table: (section: NonNullable<Sections[Name]>) => string,
): string {
  const section = publishedResults()[name];
  if (!section) throw new Error(`docs/benchmarks.json has no ${name}`);
  const text = readFileSync(join(docsFolder, 'performance.md'), 'utf8');
  return write(docsFolder, 'performance.md', withTable(text, name, table(section)));
}

/** A document with another table at its place. */
export function withTable(document: string, name: string, table: string): string {
  const [before, ...rest] = document.split(`<!-- ${name} -->`);
  const [, after] = rest.join('').split(`<!-- /${name} -->`);
  if (after === undefined) throw new Error(`the document has no place for the table of ${name}`);
  return `${before}<!-- ${name} -->\n\n${table}\n\n<!-- /${name} -->${after}`;
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
