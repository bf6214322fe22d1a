import { formatTable } from './format.js';
import { Figures, type Results } from './results.js';

/** What Toolwright sets itself: a ratio that it must reach, or must not exceed. */
export interface Bar {
  title: string;
  ratio(figures: Figures, node: string): number | undefined;
  /** By the major version of Node.js. */
  atLeast?: { 20: number; 24: number };
  atMost?: number;
}

const rate = (workload: string, pair: [string, string]) => (figures: Figures, node: string) =>
  figures.ratio(workload, pair, node, 'rate')?.median;

const metric = (workload: string, name: string, pair: [string, string]) => (figures: Figures, node: string) =>
  figures.ratio(workload, pair, node, name)?.median;

/** As its examples have it, and with schemas made once. */
function againstSdk(what: string, workload: string, atLeast: Bar['atLeast']): Bar[] {
  const against = (setup: string, contestant: string): Bar => ({
    title: `${what} against the official SDK v2${setup}`,
    ratio: rate(workload, ['toolwright-express', contestant]),
    atLeast,
  });
  return [against('', 'sdk-v2'), against(', schemas made once', 'sdk-v2-kept-schemas')];
}

export const bars: Bar[] = [
  {
    title: 'tools/call on Express against plain Express with express.json()',
    ratio: rate('call-10', ['toolwright-express', 'express-json']),
    atLeast: { 20: 1, 24: 0.9 },
  },
  ...againstSdk('tools/call on Express, 10 tools,', 'call-10', { 20: 6, 24: 10 }),
  ...againstSdk('tools/call on Express, 1000 tools,', 'call-1000', { 20: 30, 24: 30 }),
  {
    title: 'tools/call on node:http against plain node:http',
    ratio: rate('call-10', ['toolwright-http', 'node-http']),
    atLeast: { 20: 0.6, 24: 0.5 },
  },
  {
    title: 'tools/call with 1000 tools against 1 tool',
    ratio: (figures, node) => figures.summary('call-1000-1', 'toolwright-express', node, 'share')?.median,
    atLeast: { 20: 0.95, 24: 0.95 },
  },
  ...againstSdk('tools/list of 1000 tools', 'list-1000', { 20: 20, 24: 20 }),
  {
    title: 'p99 of tools/call on Express against plain Express',
    ratio: metric('call-10', 'p99', ['toolwright-express', 'express-json']),
    atMost: 1.2,
  },
  {
    title: 'cold start with 1000 tools against a bare Express app',
    ratio: metric('cold-start-1000', 'start', ['toolwright-express', 'express-json']),
    atMost: 1.5,
  },
];

/** The bars as a table: what was asked, what was measured, whether it was reached. */
export function barTable(results: Results): string {
  const figures = new Figures(results);
  const rows = bars.flatMap((bar) =>
    results.nodes.map((node) => {
      const ratio = bar.ratio(figures, node);
      const limit = limitOf(bar, node);
      const asked = bar.atMost === undefined ? `at least ${limit}x` : `at most ${limit}x`;
      return [
        bar.title,
        node,
        asked,
        ratio === undefined ? '-' : `${ratio.toFixed(2)}x`,
        verdict(bar, ratio, limit),
      ];
    }),
  );
  return formatTable([['Bar', 'Node', 'asked', 'measured', ''], ...rows]);
}

function limitOf({ atLeast, atMost }: Bar, node: string): number {
  if (atMost !== undefined) return atMost;
  return Number(node.split('.')[0]) >= 24 ? atLeast![24] : atLeast![20];
}

function verdict({ atMost }: Bar, ratio: number | undefined, limit: number): string {
  if (ratio === undefined) return 'not measured';
  return (atMost === undefined ? ratio >= limit : ratio <= limit) ? 'reached' : 'not reached';
}
