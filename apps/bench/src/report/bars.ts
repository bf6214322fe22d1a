/** Bounds by the major version of Node.js; a version without one has no bar. */
export type Asked = Partial<Record<20 | 24, number>>;

/** What Toolwright sets itself: a figure of a workload that must be reached, or must not be exceeded. */
export type Bar = {
  title: string;
  metric: string;
  contestant: string;
} & (
  | {
      /** Of several workloads, the ratios of all their rounds are pooled. */
      workload: string | readonly string[];
      /** The figure is a ratio to this contestant's, within rounds. */
      to: string;
      unit?: undefined;
    }
  | {
      workload: string;
      to?: undefined;
      /** What the figure is. */
      unit: string;
    }
) &
  ({ atLeast: Asked } | { atMost: Asked });

/** The workloads that a bar needs. */
export const workloadsOf = ({ workload }: Bar): readonly string[] =>
  typeof workload === 'string' ? [workload] : workload;

const both = (bound: number): Asked => ({ 20: bound, 24: bound });

const EXPRESS = { contestant: 'toolwright-express', to: 'express-json' };
const NODE = { contestant: 'toolwright-http', to: 'node-http' };

/** The workloads of calls with as many connections. Latency is looked at over all of them. */
const POOLED = ['call-10', 'call-object', 'call-dto', 'call-usual', 'call-usual-15'];

/** As its examples have it, and with schemas made once. */
function againstSdk(title: string, workload: string, atLeast: Asked): Bar[] {
  const bar = { workload, metric: 'rate', contestant: 'toolwright-express', atLeast };
  return [
    { ...bar, title: `${title} against the official SDK v2`, to: 'sdk-v2' },
    {
      ...bar,
      title: `${title} against the official SDK v2, schemas made once`,
      to: 'sdk-v2-kept-schemas',
    },
  ];
}

/** The targets of the project for speed. They are set before the figures are known, and stay when they are missed. */
export const bars: Bar[] = [
  {
    title: 'tools/call as people write tools, 5 rows, on Express against plain Express, which checks nothing',
    workload: 'call-usual',
    metric: 'rate',
    ...EXPRESS,
    atLeast: { 20: 1.2, 24: 1.15 },
  },
  {
    title:
      'tools/call as people write tools, 15 rows, on Express against plain Express, which checks nothing',
    workload: 'call-usual-15',
    metric: 'rate',
    ...EXPRESS,
    atLeast: { 20: 1.2, 24: 1.15 },
  },
  {
    title:
      'tools/call as people write tools, 5 rows, on node:http against plain node:http, which checks nothing',
    workload: 'call-usual',
    metric: 'rate',
    ...NODE,
    atLeast: both(0.65),
  },
  {
    title: 'an argument of 100 KB, with its audit, on Express against plain Express',
    workload: 'large-argument',
    metric: 'rate',
    ...EXPRESS,
    atLeast: both(0.7),
  },
  {
    title: 'a result of 100 KB, with its audit, on Express against plain Express',
    workload: 'large-result',
    metric: 'rate',
    ...EXPRESS,
    atLeast: both(0.85),
  },
  {
    title: 'tools/call of the cheapest tool on Express against plain Express with express.json()',
    workload: 'call-10',
    metric: 'rate',
    ...EXPRESS,
    // On Node 24: at least 0.95 of the factor that plain Express has over the SDK. The SDK cancels out of that.
    atLeast: { 20: 1, 24: 0.95 },
  },
  {
    title: 'tools/call on node:http against plain node:http',
    workload: 'call-10',
    metric: 'rate',
    ...NODE,
    atLeast: { 20: 0.6, 24: 0.5 },
  },
  {
    title: 'rows with an output schema on Express against plain Express, which checks nothing',
    workload: 'call-object',
    metric: 'rate',
    ...EXPRESS,
    atLeast: { 20: 1.15, 24: 1 },
  },
  {
    title: 'rows with an output schema on node:http against plain node:http, which checks nothing',
    workload: 'call-object',
    metric: 'rate',
    ...NODE,
    atLeast: both(0.6),
  },
  {
    title: 'a nested DTO on Express against plain Express, which checks nothing',
    workload: 'call-dto',
    metric: 'rate',
    ...EXPRESS,
    atLeast: { 20: 1.15, 24: 1 },
  },
  {
    title: 'tools/call on Express, 256 connections, against plain Express',
    workload: 'call-256',
    metric: 'rate',
    ...EXPRESS,
    atLeast: { 24: 1 },
  },
  {
    title: 'rows with a token checked against rows without, on Express',
    workload: 'call-auth',
    metric: 'share',
    contestant: 'toolwright-express',
    unit: 'x',
    atLeast: both(0.8),
  },
  {
    title: 'tools/call with 1000 tools against 1 tool',
    workload: 'call-1000-1',
    metric: 'share',
    contestant: 'toolwright-express',
    unit: 'x',
    atLeast: both(0.95),
  },
  ...againstSdk('tools/call on Express, 10 tools,', 'call-10', { 20: 6, 24: 10 }),
  ...againstSdk('tools/call on Express, 1000 tools,', 'call-1000', both(30)),
  ...againstSdk('tools/list of 1000 tools', 'list-1000', both(20)),
  {
    title: 'p99 of tools/call on Express against plain Express, pooled',
    // One workload has as few rounds as its slowest turn decides: 0.7 and 1.8 in one run.
    workload: POOLED,
    metric: 'p99',
    ...EXPRESS,
    atMost: both(1.2),
  },
  {
    title: 'cold start with 1000 tools against a bare Express app',
    workload: 'cold-start-1000',
    metric: 'start',
    ...EXPRESS,
    atMost: both(1.4),
  },
  {
    title: 'first call of a cold process, after its boot',
    workload: 'cold-start-10',
    metric: 'first',
    contestant: 'toolwright-express',
    unit: ' ms',
    atMost: both(15),
  },
  {
    title: 'calls of a new process until 95 % of its steady rate, on Express',
    workload: 'time-to-peak',
    metric: 'calls',
    contestant: 'toolwright-express',
    unit: ' calls',
    atMost: both(2_000),
  },
  {
    title: 'heap of a tool, of 1000',
    workload: 'memory-tools',
    metric: 'heap',
    contestant: 'toolwright-express',
    unit: ' bytes',
    atMost: both(8 * 1024),
  },
  {
    title: 'heap of an idle session',
    workload: 'memory-sessions',
    metric: 'heap',
    contestant: 'toolwright-express',
    unit: ' bytes',
    atMost: both(1024),
  },
];
