import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { barTable } from '../src/report/bar-table.js';
import { chart } from '../src/report/chart.js';
import { publishedChart } from '../src/report/files.js';
import { Figures, type Results } from '../src/report/results.js';
import { cpuTable, problems, workloadTables } from '../src/report/tables.js';
import { workloads } from '../src/workloads/catalogue.js';
import type { Measurement } from '../src/workloads/workload.js';
import { resultsOf } from './results-of.js';

const [call10] = workloads;

const failed: Measurement = {
  workload: 'call-10',
  contestant: 'fastmcp',
  node: '20.19.0',
  dialect: 'stateless',
  samples: [{ rate: 9_999 }],
  problem: '3 failures in 100 answers',
};

const results = resultsOf(
  [
    ['call-10', 'express-json', '20.19.0', { rate: 1000, p99: 10 }, { rate: 500, p99: 20 }],
    [
      'call-10',
      'toolwright-express',
      '20.19.0',
      { rate: 1100, p99: 11, cpu: 90 },
      { rate: 550, p99: 22, cpu: 110 },
    ],
    ['call-10', 'express-json', '24.0.0', { rate: 4000, p99: 5 }],
    ['call-10', 'toolwright-express', '24.0.0', { rate: 2000, p99: 5 }],
    ['call-10', 'sdk-v2', '24.0.0', { rate: 100, p99: 50 }],
    ['memory-tools', 'toolwright-express', '20.19.0', { heap: 6000 }],
  ],
  [failed],
);

describe('bars', () => {
  const line = (start: string, node: string) =>
    barTable(results)
      .split('\n')
      .find((row) => row.startsWith(`| ${start}`) && row.includes(`| ${node}`))
      ?.replace(/ +/g, ' ');

  test('a bar is reached when the median ratio of the rounds reaches it', () => {
    expect(line('tools/call of the cheapest tool on Express', '20.19.0')).toContain(
      '| at least 1x | 1.10x | reached |',
    );
  });

  test('each Node.js has its own bar', () => {
    expect(line('tools/call of the cheapest tool on Express', '24.0.0')).toContain(
      '| at least 0.95x | 0.50x | not reached |',
    );
    expect(line('tools/call on Express, 10 tools, against the official SDK v2 ', '24.0.0')).toContain(
      '| at least 10x | 20.00x | reached |',
    );
  });

  test('latency must not exceed its bar', () => {
    expect(line('p99', '20.19.0')).toContain('| at most 1.2x | 1.10x | reached |');
  });

  test('a figure that is no ratio has its unit, and a Node.js without a bar has no row', () => {
    expect(line('heap of a tool', '20.19.0')).toContain('| at most 8192 bytes | 6,000 bytes | reached |');
    expect(line('tools/call on Express, 256 connections', '20.19.0')).toBeUndefined();
    expect(line('tools/call on Express, 256 connections', '24.0.0')).toContain('| not measured |');
  });

  test('what was not measured is neither reached nor missed', () => {
    expect(line('tools/list', '20.19.0')).toContain('| - | not measured |');
  });
});

test('a ratio over several workloads pools their rounds', () => {
  const two = resultsOf([
    ['call-10', 'express-json', '20.19.0', { p99: 10 }, { p99: 10 }],
    ['call-10', 'toolwright-express', '20.19.0', { p99: 10 }, { p99: 20 }],
    ['call-dto', 'express-json', '20.19.0', { p99: 10 }],
    ['call-dto', 'toolwright-express', '20.19.0', { p99: 40 }],
  ]);
  const pooled = new Figures(two).ratio(
    ['call-10', 'call-dto', 'call-usual'],
    ['toolwright-express', 'express-json'],
    '20.19.0',
    'p99',
  );
  expect(pooled).toMatchObject({ median: 2 });
});

test('the table of a quick run compares CPU within rounds, and says the load and the noise', () => {
  const quick = resultsOf([
    ['call-10', 'express-json', '20.19.0', { rate: 1, cpu: 100 }, { rate: 1, cpu: 200 }],
    ['call-10', 'toolwright-express', '20.19.0', { rate: 9, cpu: 50 }, { rate: 9, cpu: 100 }],
  ]);
  quick.machine.load = [11.5, 12];
  const table = cpuTable([call10!], quick);
  expect(table).toContain('Load of the machine: 11.5 before, 12.0 after.');
  expect(table).toContain('itself cost up to 17 % more or less from round to round');
  expect(table).toContain('0.50 (0.50-0.50)');
  expect(table).not.toContain('plain Express, express.json()');
});

describe('tables', () => {
  test('a row has the median and its ratio to the baseline for each Node.js', () => {
    const row = workloadTables([call10!], results)
      .split('\n')
      .find((one) => one.startsWith('| Toolwright on Express'));
    expect(row?.replace(/ +/g, ' ')).toBe(
      '| Toolwright on Express | 2026-07-28 | arguments and results | 825 (688-963) | 1.10x | 100 (95-105) | 2,000 | 0.50x | - | 16.5 (13.8-19.3) |',
    );
  });

  test('a contestant with errors is shown as failed, without a figure, and the reason is listed', () => {
    const table = workloadTables([call10!], results);
    expect(table).toMatch(/\| fastmcp .* failed/);
    expect(table).not.toContain('9,999');
    expect(problems(results)).toBe('- call-10, fastmcp, Node 20.19.0: 3 failures in 100 answers');
  });
});

test('figures of a contestant with a problem are not used', () => {
  expect(new Figures(results).values('call-10', 'fastmcp', '20.19.0', 'rate')).toBeUndefined();
});

test('the chart is one SVG with a bar per contestant and Node.js, the fastest first', () => {
  const svg = chart([call10!], results);
  expect(svg).toMatch(/^<svg [^>]*viewBox/);
  expect(svg.indexOf('Toolwright on Express')).toBeLessThan(svg.indexOf('plain Express, express.json()'));
  expect(svg).toContain('>2,000</text>');
  expect(svg.match(/<rect/g)).toHaveLength(1 + 2 * 2 + 3 * 2);
});

test('the chart shows Toolwright in bold and in full colours, and others in pale ones', () => {
  const svg = chart([call10!], results);
  const rowOf = (title: string) => svg.split('\n').find((line) => line.includes(`>${title}</text>`))!;
  expect(rowOf('Toolwright on Express')).toMatch(/^<text class="strong".*class="ours-0".*class="ours-1"/);
  expect(rowOf('plain Express, express.json()')).toMatch(/^<text x=.*class="other-0".*class="other-1"/);
});

test.each(['light', 'dark'])('on a %s page, texts and our bars can be told from the background', (page) => {
  const [light, dark] = [...chart([call10!], results).matchAll(/svg \{ (--.+) \}/g)].map(([, list]) =>
    Object.fromEntries(
      [...list!.matchAll(/--([\w-]+): (#\w{6});/g)].map(([, name, colour]) => [name, colour]),
    ),
  );
  const colours = (page === 'light' ? light : dark)!;
  expect(contrast(colours['text']!, colours['page']!)).toBeGreaterThanOrEqual(4.5);
  for (const index of [0, 1, 2])
    expect(contrast(colours[`ours-${index}`]!, colours['page']!)).toBeGreaterThanOrEqual(3);
});

test('docs/benchmarks.svg is the picture of docs/benchmarks.json', () => {
  const read = (name: string) => readFileSync(join(__dirname, '../../../docs', name), 'utf8');
  expect(publishedChart(workloads, JSON.parse(read('benchmarks.json')) as Results)).toBe(
    read('benchmarks.svg'),
  );
});

/** What the README says of speed, as the published figures say it. */
describe('published', () => {
  const published = JSON.parse(
    readFileSync(join(__dirname, '../../../docs/benchmarks.json'), 'utf8'),
  ) as Results;
  const figures = new Figures(published);

  /** How many times as many calls a second as another server, on the Node.js where it is least. */
  const aheadOf = (other: string, workload = 'call-10') => {
    const rate = (contestant: string, node: string) =>
      figures.summary(workload, contestant, node, 'rate')!.median;
    return Math.min(...published.nodes.map((node) => rate(ours, node) / rate(other, node)));
  };
  const ours = 'toolwright-express';

  test.each(['call-usual', 'call-usual-15'])(
    '%s: a tool as people write it has about as many calls per second on Express as plain Express',
    (workload) => {
      expect(aheadOf('express-json', workload)).toBeGreaterThan(0.97);
    },
  );

  test('call-10: the cheapest tool has at least ten times the calls per second of the official SDK v2', () => {
    expect(aheadOf('sdk-v2')).toBeGreaterThan(10);
  });

  test('call-1000-1: a call costs the same with a thousand tools as with one', () => {
    const shares = published.nodes.map((node) => figures.summary('call-1000-1', ours, node, 'share')!.median);
    expect(Math.min(...shares)).toBeGreaterThan(0.95);
  });
});

/** Each row of the tables of the guide: where its figure is in docs/benchmarks.json. */
describe('docs/performance.md', () => {
  const read = (name: string) => readFileSync(join(__dirname, '../../../docs', name), 'utf8');
  const published = JSON.parse(read('benchmarks.json')) as Results;
  const figures = new Figures(published);
  const rows = read('performance.md')
    .split('\n')
    .filter((line) => line.startsWith('|') && line.includes(' times '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, what, other, row, ...cells]) => ({ what, other, row: row!.replaceAll('`', ''), cells }))
    .filter(({ cells }) => cells.filter((cell) => cell.endsWith(' times')).length === published.nodes.length);
  const POOLED = ['call-10', 'call-object', 'call-dto', 'call-usual', 'call-usual-15'];

  const metricOf = (what: string) =>
    what.startsWith('99th') ? 'p99' : what.startsWith('start') ? 'start' : 'rate';
  const pairOf = (what: string, other: string): [string, string] =>
    other.includes('examples')
      ? ['toolwright-express', 'sdk-v2']
      : other.includes('only once')
        ? ['toolwright-express', 'sdk-v2-kept-schemas']
        : what.includes('node:http') || what.includes('stdio')
          ? ['toolwright-http', 'node-http']
          : ['toolwright-express', 'express-json'];

  test('names a row for each of its figures', () => {
    expect(rows).toHaveLength(15);
    const known = new Set(published.measurements.map(({ workload }) => workload));
    expect(rows.filter(({ row }) => row !== 'the first five' && !known.has(row))).toEqual([]);
  });

  test.each(rows)('says what the row $row has: $what, $other', ({ what, other, row, cells }) => {
    const measured = published.nodes.map((node) =>
      row === 'call-1000-1'
        ? figures.summary(row, 'toolwright-express', node, 'share')!.median
        : figures.ratio(
            row === 'the first five' ? POOLED : row,
            pairOf(what!, other!),
            node,
            metricOf(what!),
          )!.median,
    );
    const said = cells.slice(0, published.nodes.length).map((cell) => Number(cell.replace(/ times|,/g, '')));
    said.forEach((figure, index) => expect(Math.abs(figure / measured[index]! - 1)).toBeLessThan(0.02));
  });
});

/** The contrast of two colours, as WCAG 2.2 defines it. */
function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
