import { contestants, type Contestant } from '../contestants/catalogue.js';
import { REVISION } from '../protocol/request.js';
import type { Measurement, Workload } from '../workloads/workload.js';
import { formatRatio, formatSummary, formatTable } from './format.js';
import { Figures, type Results } from './results.js';
import type { Summary } from './statistics.js';

/** One table per workload: a row per contestant, for each Node.js the first metric and its ratio to the baseline. */
export function workloadTables(workloads: Workload[], results: Results): string {
  const figures = new Figures(results);
  return workloads.map((workload) => workloadTable(workload, results, figures)).join('\n\n');
}

function workloadTable(workload: Workload, { nodes, measurements }: Results, figures: Figures): string {
  const [metric] = workload.metrics;
  const present = contestants.filter(({ name }) =>
    measurements.some((one) => one.workload === workload.name && one.contestant === name),
  );
  // Beside the rate: a server that waits for its load answers less often, and costs the same.
  const cpu = workload.metrics.slice(1).filter(({ name }) => name === 'cpu');
  const titleOf = workload.titleOf ?? (({ title }: Contestant) => title);
  const head = [
    metric.unit,
    'revision',
    'checks',
    ...nodes.flatMap((node) => [`Node ${node}`, 'ratio', ...cpu.map(() => 'µs CPU')]),
    ...secondary(workload).map(({ name, unit }) => `${name} (${unit})`),
  ];
  const row = (contestant: Contestant) => {
    const first = figures.measurement(workload.name, contestant.name, nodes[0]!);
    return [
      titleOf(contestant),
      first ? revision(first) : '-',
      contestant.checks,
      ...nodes.flatMap((node) => [
        cell(figures.measurement(workload.name, contestant.name, node), (one) =>
          formatSummary(figures.summary(one.workload, one.contestant, node, metric.name)),
        ),
        formatRatio(figures.ratio(workload.name, [contestant.name, workload.baseline], node, metric.name)),
        ...cpu.map(({ name }) => formatSummary(figures.summary(workload.name, contestant.name, node, name))),
      ]),
      ...secondary(workload).map(({ name }) =>
        formatSummary(figures.summary(workload.name, contestant.name, nodes[0]!, name)),
      ),
    ];
  };
  const baseline = contestants.find(({ name }) => name === workload.baseline)!;
  return `### ${workload.title}\n\nRatios to ${titleOf(baseline)}.\n\n${formatTable([head, ...present.map(row)])}`;
}

/** Of the further metrics, those shown, for the first Node.js; the others are in the JSON file. */
const SHOWN = ['p99', 'share', 'first', 'rss'];
const secondary = ({ metrics }: Workload) => metrics.slice(1).filter(({ name }) => SHOWN.includes(name));

const revision = ({ dialect }: Measurement) =>
  REVISION[dialect] + (dialect === 'modern' ? '' : dialect === 'session' ? ', session' : ', no session');

/** A contestant that failed is shown as such, without a figure. */
function cell(measurement: Measurement | undefined, show: (measurement: Measurement) => string): string {
  if (!measurement) return '-';
  return measurement.problem ? 'failed' : show(measurement);
}

/**
 * CPU time per answer against the baseline's, within rounds: below 1 is cheaper. A busy machine slows both down alike, so
 * this is what it can tell.
 */
export function cpuTable(workloads: Workload[], results: Results): string {
  const figures = new Figures(results);
  const rows = workloads.flatMap(({ name, title, baseline }) =>
    contestants
      .filter((one) => one.name !== baseline && figures.measurement(name, one.name, results.nodes[0]!))
      .map((one) => [
        title,
        one.title,
        ...results.nodes.map((node) =>
          ratioWithQuartiles(figures.ratio(name, [one.name, baseline], node, 'cpu')),
        ),
      ]),
  );
  const spreads = workloads.flatMap(({ name, baseline }) =>
    results.nodes.flatMap((node) => spreadOf(figures.summary(name, baseline, node, 'cpu')) ?? []),
  );
  const noise = Math.round(100 * Math.max(0, ...spreads));
  const [before, after] = results.machine.load ?? [NaN, NaN];
  const head = [
    'CPU per answer, times that of the plain server',
    '',
    ...results.nodes.map((node) => `Node ${node}`),
  ];
  const machine = [
    `Load of the machine: ${before.toFixed(1)} before, ${after.toFixed(1)} after.`,
    `Noise: an answer of the plain server itself cost up to ${noise} % more or less from round to round (half of them).`,
  ].join(' ');
  return `${machine}\n\n${formatTable([head, ...rows])}`;
}

/** How far the middle half of the rounds is from their median, as a share of it. */
function spreadOf(summary: Summary | undefined): number | undefined {
  if (!summary || Number.isNaN(summary.median)) return undefined;
  const { median, low, high } = summary;
  return Math.max(median - low, high - median) / median;
}

const ratioWithQuartiles = (ratio: Summary | undefined) =>
  ratio ? `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)})` : '-';

/** What went wrong, one line each. */
export function problems({ measurements }: Results): string {
  return measurements
    .filter(({ problem }) => problem)
    .map(
      ({ workload, contestant, node, problem }) =>
        `- ${workload}, ${contestant}, Node ${node}: ${problem!.replace(/\s+/g, ' ').slice(0, 300)}`,
    )
    .join('\n');
}
