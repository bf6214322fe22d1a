import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { serverMetrics } from '../../packages/core/src/observe/server-metrics.js';
import { identityMetrics } from '../../packages/identity/src/metrics.js';
import { mountMetrics } from '../../packages/mount/src/metrics.js';
import { openApiMetrics } from '../../packages/openapi/src/run/metrics.js';
import { searchMetrics } from '../../packages/search/src/metrics.js';
import { scheduleMetrics } from '../../packages/schedules/src/metrics.js';

const docs = join(__dirname, '../../docs');
const dashboard = readFileSync(join(docs, 'monitoring/grafana-dashboard.json'), 'utf8');
const alerts = readFileSync(join(docs, 'monitoring/alerts.yml'), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
const { rules } = (parse(alerts) as { groups: { rules: Rule[] }[] }).groups[0]!;

/** The name that Prometheus gives a metric of OpenTelemetry: with its unit, and `total` for counters. */
function inPrometheus(name: string, [kind, unit]: readonly [string, string, ...string[]]): string {
  const suffixes = `${unit === 's' ? '_seconds' : ''}${kind === 'counter' ? '_total' : ''}`;
  return `${name.replaceAll('.', '_')}${suffixes}`;
}

const allMetrics = {
  ...{
    ...serverMetrics,
    ...scheduleMetrics,
    ...identityMetrics,
    ...mountMetrics,
    ...openApiMetrics,
    ...searchMetrics,
  },
  'mcp.server.operation.duration': ['histogram', 's', 'The duration of requests.'],
} as const;
const ours = Object.entries(allMetrics).map(([name, facts]) => inPrometheus(name, facts));
/** Prometheus has three series for a histogram. */
const histograms = Object.entries(allMetrics)
  .filter(([, [kind]]) => kind === 'histogram')
  .flatMap(([name, facts]) =>
    ['bucket', 'count', 'sum'].map((part) => `${inPrometheus(name, facts)}_${part}`),
  );
/** What the client libraries of Prometheus and the process exporters measure of every process. */
const ofProcesses = ['process_open_fds', 'process_max_fds'];
const known = new Set([...ours, ...histograms, ...ofProcesses]);

const namesIn = (expression: string) =>
  expression.match(/\b(?:toolwright_server|mcp_server|process)_\w+/g) ?? [];

describe('the dashboard and the alerts', () => {
  const panels = (JSON.parse(dashboard) as { panels: { title: string; targets?: { expr: string }[] }[] })
    .panels;
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  it('use only metrics that a server has', () => {
    const used = [...expressions, ...rules.map(({ expr }) => expr)].flatMap(namesIn);
    expect(used.length).toBeGreaterThan(30);
    expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
  });

  it('show every metric that a server has', () => {
    const shown = new Set(
      expressions
        .flatMap(namesIn)
        .map((name) => (histograms.includes(name) ? name.replace(/_[a-z]+$/, '') : name)),
    );
    expect(ours.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('use only labels that a metric of a server has', () => {
    const labels = new Set(
      [...expressions, ...rules.map(({ expr }) => expr)]
        .flatMap((expr) => [...expr.matchAll(/(\w+)(?:=|!=|=~|!~)"|by \(([\w, ]+)\)|on \(([\w, ]+)\)/g)])
        .flatMap(([, label, by, on]) => (label ?? by ?? on)!.split(', ')),
    );
    const attributes = [
      ...['mcp.method.name', 'gen_ai.tool.name', 'error.type', 'http.response.status_code', 'store'],
      ...[
        'toolwright.stream.kind',
        'toolwright.slot.pool',
        'toolwright.owner.class',
        'toolwright.audit.mode',
      ],
      ...['toolwright.schedule.name', 'toolwright.schedule.outcome'],
      ...['toolwright.mount', 'toolwright.mount.outcome', 'toolwright.mount.finding'],
      ...['toolwright.token.by', 'toolwright.token.outcome', 'toolwright.grant.outcome', 'outcome'],
      ...['toolwright.decision.outcome', 'toolwright.decision.source'],
      ...[
        'toolwright.api.operation',
        'toolwright.api.outcome',
        'toolwright.tenant',
        'toolwright.search.outcome',
      ],
    ].map((name) => name.replaceAll('.', '_'));
    const usual = ['job', 'instance', 'le'];
    expect([...labels].filter((label) => ![...attributes, ...usual].includes(label))).toEqual([]);
  });

  it('are described in the guide, metric by metric', () => {
    const guide = readFileSync(join(docs, 'telemetry.md'), 'utf8');
    expect(Object.keys(allMetrics).filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
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
