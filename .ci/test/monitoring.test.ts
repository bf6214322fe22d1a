import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse } from 'yaml';
import { seriesIn } from '../../apps/desk/test/support/series-in.js';
import { serverMetrics } from '../../packages/core/src/observe/server-metrics.js';
import { transferMetrics } from '../../packages/http/src/transfers/metrics.js';
import { codeMetrics } from '../../packages/code/src/count-programs.js';
import { identityMetrics } from '../../packages/identity/src/metrics.js';
import { mountMetrics } from '../../packages/mount/src/metrics.js';
import { openApiMetrics } from '../../packages/openapi/src/run/metrics.js';
import { searchMetrics } from '../../packages/search/src/metrics.js';
import { scheduleMetrics } from '../../packages/schedules/src/metrics.js';
import { sourcesOf } from './support/duration-options.js';

const docs = join(__dirname, '../../docs');
const packages = join(__dirname, '../../packages');
const dashboard = readFileSync(join(docs, 'monitoring/grafana-dashboard.json'), 'utf8');
const alerts = readFileSync(join(docs, 'monitoring/alerts.yml'), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
const { rules } = (parse(alerts) as { groups: { rules: Rule[] }[] }).groups[0]!;

const allMetrics = {
  ...serverMetrics,
  ...scheduleMetrics,
  ...identityMetrics,
  ...mountMetrics,
  ...openApiMetrics,
  ...searchMetrics,
  ...transferMetrics,
  ...codeMetrics,
  'mcp.server.operation.duration': ['histogram', 's', 'The duration of requests.'],
} as const;
const entries = Object.entries(allMetrics);

/** A histogram has three series. */
const seriesOf = (name: string, kind: string): string[] =>
  kind === 'histogram' ? ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`) : [name];

/** The series that the OpenTelemetry collector, and OTLP into Prometheus, make of our metrics. */
const ofCollector = entries.map(([metric, [kind, unit]]) => {
  const name = `${metric.replaceAll('.', '_')}${unit === 's' ? '_seconds' : ''}`;
  return seriesOf(kind === 'counter' ? `${name}_total` : name, kind);
});

type Make = new (options: object) => any;

/** Those that the exporter of OpenTelemetry for Node.js writes. It is asked, because it has rules of its own. */
async function ofExporter(): Promise<string[][]> {
  const from = createRequire(join(__dirname, '../../apps/guides/package.json'));
  const { PrometheusExporter } = from('@opentelemetry/exporter-prometheus') as Record<string, Make>;
  const { MeterProvider } = from('@opentelemetry/sdk-metrics') as Record<string, Make>;
  const reader = new PrometheusExporter!({ preventServerStart: true });
  const meter = new MeterProvider!({ readers: [reader] }).getMeter('ours');
  for (const [name, [kind, unit]] of entries) {
    if (kind === 'histogram') meter.createHistogram(name, { unit }).record(1);
    else if (kind === 'counter') meter.createCounter(name, { unit }).add(1);
    else if (kind === 'upDown') meter.createUpDownCounter(name, { unit }).add(1);
    else meter.createGauge(name, { unit }).record(1);
  }
  const end = jest.fn<void, [string]>();
  reader.getMetricsRequestHandler({}, { setHeader() {}, end, statusCode: 200 });
  while (end.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const written = new Set(end.mock.calls[0]![0].match(/^\w+(?=[{ ])/gm));
  return entries.map(([metric, [kind]]) => {
    const name = metric.replaceAll('.', '_');
    return seriesOf(kind === 'counter' ? `${name}_total` : name, kind).filter((series) =>
      written.has(series),
    );
  });
}

/** What the client libraries of Prometheus and the process exporters measure of every process. */
const ofProcesses = ['process_open_fds', 'process_max_fds'];

describe('the dashboard and the alerts', () => {
  const panels = (JSON.parse(dashboard) as { panels: { title: string; targets?: { expr: string }[] }[] })
    .panels;
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  const used = [...expressions, ...rules.map(({ expr }) => expr)].flatMap(seriesIn);

  it.each([
    ['the collector', async () => ofCollector],
    ['the exporter of Node.js', ofExporter],
  ])('use only metrics that a server has, and show each, with %s', async (_, seriesOfMetrics) => {
    const all = await seriesOfMetrics();
    const known = [...all.flat(), ...ofProcesses];
    expect(used.length).toBeGreaterThan(30);
    expect(used.filter((name) => !known.some((series) => name.test(series)))).toEqual([]);
    const shown = expressions.flatMap(seriesIn);
    expect(all.filter((series) => !series.some((each) => shown.some((name) => name.test(each))))).toEqual([]);
  });

  it('use only labels that a metric of a server has', () => {
    const labels = new Set(
      [...expressions, ...rules.map(({ expr }) => expr)]
        .flatMap((expr) => [...expr.matchAll(/(\w+)(?:=|!=|=~|!~)"|by \(([\w, ]+)\)|on \(([\w, ]+)\)/g)])
        .flatMap(([, label, by, on]) => (label ?? by ?? on)!.split(', ')),
    );
    const attributes = [
      'mcp.method.name',
      'gen_ai.tool.name',
      'error.type',
      'http.response.status_code',
      'store',
      'toolwright.stream.kind',
      'toolwright.slot.pool',
      'toolwright.owner.class',
      'toolwright.audit.mode',
      'toolwright.schedule.name',
      'toolwright.schedule.outcome',
      'toolwright.mount',
      'toolwright.mount.outcome',
      'toolwright.mount.finding',
      'toolwright.token.by',
      'toolwright.token.outcome',
      'toolwright.grant.outcome',
      'outcome',
      'toolwright.decision.outcome',
      'toolwright.decision.source',
      'toolwright.api.operation',
      'toolwright.api.outcome',
      'toolwright.tenant',
      'toolwright.search.outcome',
      'toolwright.transfer.direction',
      'toolwright.transfer.outcome',
      'toolwright.code.outcome',
    ].map((name) => name.replaceAll('.', '_'));
    const usual = ['job', 'instance', 'le', '__name__'];
    expect([...labels].filter((label) => ![...attributes, ...usual].includes(label))).toEqual([]);
  });

  it('know every metric that a package names, and no others', () => {
    const sources = readdirSync(packages).flatMap(sourcesOf);
    const named = sources.flatMap(
      (path) =>
        readFileSync(join(packages, path), 'utf8').match(/(?<=')(?:toolwright|mcp)\.server\.[\w.]+(?=')/g) ??
        [],
    );
    expect([...new Set(named)].sort()).toEqual(Object.keys(allMetrics).sort());
  });

  it('are described in the guide, metric by metric, with their units', () => {
    const guide = readFileSync(join(docs, 'telemetry.md'), 'utf8');
    const rows = [...guide.matchAll(/^\| `((?:toolwright|mcp)\.server\.[\w.]+)` +\| `([^`]+)`/gm)];
    expect(rows.map(([, name, unit]) => `${name} ${unit}`).sort()).toEqual(
      entries.map(([name, [, unit]]) => `${name} ${unit}`).sort(),
    );
  });

  it('are the only metrics that a guide speaks of', () => {
    const guides = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.md'),
    );
    const spoken = guides.flatMap(
      (path) =>
        readFileSync(join(docs, path), 'utf8').match(/(?<=`)(?:toolwright|mcp)\.server\.[\w.]+(?=`)/g) ?? [],
    );
    expect([...new Set(spoken)].filter((name) => !(name in allMetrics))).toEqual([]);
  });
});

describe('the runbook', () => {
  const pages = readdirSync(join(docs, 'runbook')).filter((page) => page !== 'README.md');

  it('has a page for every alert, and names the alert there', () => {
    for (const { alert, annotations } of rules) {
      const page = join(docs, annotations.runbook);
      expect([alert, existsSync(page)]).toEqual([alert, true]);
      expect([alert, readFileSync(page, 'utf8').includes(alert)]).toEqual([alert, true]);
    }
  });

  it.each(pages)('%s says what one sees, why, and what to do', (page) => {
    const text = readFileSync(join(docs, 'runbook', page), 'utf8');
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['What you see', 'Why', 'What to do']);
  });

  it('lists every page', () => {
    const index = readFileSync(join(docs, 'runbook/README.md'), 'utf8');
    expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
  });
});
