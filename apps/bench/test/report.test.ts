import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { barTable } from '../src/report/bar-table.js';
import { chart } from '../src/report/chart.js';
import { publishedChart } from '../src/report/files.js';
import { Figures, type Results } from '../src/report/results.js';
import { problems, workloadTables } from '../src/report/tables.js';
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
    expect(line('tools/call on Express against plain Express', '20.19.0')).toContain(
      '| at least 1x | 1.10x | reached |',
    );
  });

  test('each Node.js has its own bar', () => {
    expect(line('tools/call on Express against plain Express', '24.0.0')).toContain(
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
  const aheadOf = (other: string) => {
    const rate = (contestant: string, node: string) =>
      figures.summary('call-10', contestant, node, 'rate')!.median;
    return Math.min(...published.nodes.map((node) => rate(ours, node) / rate(other, node)));
  };
  const ours = 'toolwright-express';

  test('the published figures: more calls per second on Express than plain Express', () => {
    expect(aheadOf('express-json')).toBeGreaterThan(1);
  });

  test('the published figures: at least ten times the calls per second of the official SDK v2', () => {
    expect(aheadOf('sdk-v2')).toBeGreaterThan(10);
  });

  test('the published figures: a call costs the same with a thousand tools as with one', () => {
    const shares = published.nodes.map((node) => figures.summary('call-1000-1', ours, node, 'share')!.median);
    expect(Math.min(...shares)).toBeGreaterThan(0.95);
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
