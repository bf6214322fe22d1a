import type { RecordedCall, RecordedSpan } from '../src/api/record-api.js';
import { type WaterfallRow, waterfallOf } from '../web/src/panes/calls/waterfall-rows.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const AT = 1_700_000_000_000;

type Step = readonly [name: string, beganMs: number, ownMs: number];

function callOf(steps: readonly Step[], members: Partial<RecordedCall> = {}): RecordedCall {
  return {
    server: 'notes',
    run: 1,
    number: 1,
    state: 'ended',
    kind: 'tool',
    name: 'find_notes',
    at: AT,
    durationMs: 50,
    requestId: 1,
    revision: '2025-11-25',
    transport: 'http',
    principal: undefined,
    client: undefined,
    traceparent: `00-${TRACE}-${SPAN}-01`,
    arguments: {},
    steps: steps.map(([name, beganMs, ownMs]) => ({
      name,
      origin: 'default',
      beganMs,
      ownMs,
      verdict: name === 'method' ? 'answered' : 'passed',
    })) as RecordedCall['steps'],
    ...members,
  };
}

const spanOf = (
  name: string,
  spanId: string,
  [from, to]: readonly [number, number],
  parentSpanId = SPAN,
): RecordedSpan => ({
  traceId: TRACE,
  spanId,
  parentSpanId,
  name,
  kind: 'client',
  startMs: AT + from,
  endMs: AT + to,
  failed: false,
  attributes: {},
});

/** Each row in a line: its name with its depth before it, and its stretch. */
const heard = (rows: readonly WaterfallRow[]) =>
  rows.map((row) => {
    const name = 'step' in row ? row.step.name : 'inner' in row ? row.inner.name : row.span.name;
    return `${'> '.repeat(row.depth)}${name} ${row.whole.from}-${row.whole.to}`;
  });

const guarded: readonly Step[] = [
  ['authenticate', 0, 10],
  ['validate', 8, 4],
  ['method', 12, 30],
];

test('a step takes as long as its own work and the steps inside it', () => {
  const { rows, lengthMs } = waterfallOf(callOf(guarded), []);
  expect(lengthMs).toBe(50);
  expect(heard(rows)).toEqual(['authenticate 0-44', 'validate 8-42', 'method 12-42']);
  expect(rows.map((row) => 'own' in row && row.own)).toEqual([
    [
      { from: 0, to: 8 },
      { from: 42, to: 44 },
    ],
    [
      { from: 8, to: 12 },
      { from: 42, to: 42 },
    ],
    [{ from: 12, to: 42 }],
  ]);
});

test('guards, the method and spans are one line: each span stands below the step that asked', () => {
  const { rows, lengthMs } = waterfallOf(callOf(guarded), [
    { ...spanOf('tools/call', SPAN, [-2, 53]), parentSpanId: '1'.repeat(16) },
    spanOf('insert', 'd'.repeat(16), [30, 35]),
    spanOf('GET keys', 'a'.repeat(16), [1, 7]),
    spanOf('select', 'b'.repeat(16), [13, 20]),
    spanOf('wait for a connection', 'c'.repeat(16), [13, 15], 'b'.repeat(16)),
    spanOf('store the result', 'e'.repeat(16), [43, 44]),
    spanOf('of another request', 'f'.repeat(16), [13, 15], '2'.repeat(16)),
  ]);
  expect(lengthMs).toBe(55);
  expect(heard(rows)).toEqual([
    'tools/call 0-55',
    '> authenticate 2-46',
    '> > GET keys 3-9',
    '> validate 10-44',
    '> method 14-44',
    '> > select 15-22',
    '> > > wait for a connection 15-17',
    '> > insert 32-37',
    '> > store the result 45-46',
  ]);
});

test('a span that begins at the full millisecond before its method belongs to the method', () => {
  const call = callOf([
    ['validate', 0, 0.2],
    ['method', 0.2, 9],
  ]);
  const { rows } = waterfallOf(call, [spanOf('select', 'b'.repeat(16), [0, 4])]);
  expect(heard(rows).slice(1)).toEqual(['method 0.2-9.2', '> select 0-4']);
});

test('the call lies inside the span of its request, whatever the clocks say', () => {
  for (const late of [-5_000, 5_000]) {
    const request = { ...spanOf('tools/call', SPAN, [0, 60]), parentSpanId: '1'.repeat(16) };
    const { rows, lengthMs } = waterfallOf(callOf(guarded, { at: AT + late }), [request]);
    expect(lengthMs).toBe(60);
    for (const { whole } of rows) {
      expect(whole.from).toBeGreaterThanOrEqual(0);
      expect(whole.to).toBeLessThanOrEqual(60);
    }
  }
});

test('what goes on after the call does not make the line longer', () => {
  const { rows, lengthMs } = waterfallOf(callOf(guarded), [
    spanOf('send mail', 'b'.repeat(16), [20, 30_000]),
    spanOf('clean up', 'c'.repeat(16), [9_000, 9_001]),
  ]);
  expect(lengthMs).toBe(50);
  expect(heard(rows).slice(2)).toEqual(['method 12-42', '> send mail 20-30000', 'clean up 9000-9001']);
});

test('spans that are parents of each other, or that lie in each other 10,000 deep, end somewhere', () => {
  const round = [
    spanOf('round', 'e'.repeat(16), [13, 14], 'f'.repeat(16)),
    spanOf('about', 'f'.repeat(16), [13, 14], 'e'.repeat(16)),
    { ...spanOf('itself', SPAN, [0, 50]), parentSpanId: SPAN },
  ];
  expect(heard(waterfallOf(callOf(guarded), round).rows)[0]).toBe('itself 0-50');
  const id = (index: number) => index.toString(16).padStart(16, '0');
  const deep = Array.from({ length: 10_000 }, (_, index) =>
    spanOf('deep', id(index + 1), [13, 14], index === 0 ? SPAN : id(index)),
  );
  expect(waterfallOf(callOf(guarded), deep).rows).toHaveLength(10_003);
});

test('a call without steps and without a trace is an empty line', () => {
  const call = callOf([], { traceparent: undefined, durationMs: 0 });
  expect(waterfallOf(call, [])).toEqual({ rows: [], lengthMs: 1 });
});

test('a call inside of a call has one row, whether or not a span tells of it', () => {
  const query = 'b'.repeat(16);
  const inner = callOf([], {
    number: 2,
    parent: 1,
    name: 'find_notes',
    traceparent: `00-${TRACE}-${query}-01`,
  });
  const { rows } = waterfallOf(
    callOf(guarded),
    [spanOf('tools/call find_notes', query, [13, 20]), spanOf('select', 'c'.repeat(16), [14, 16], query)],
    [inner, { ...inner, number: 3, name: 'get_note', traceparent: undefined, at: AT + 22, durationMs: 3 }],
  );
  expect(rows.filter((row) => 'inner' in row)).toHaveLength(2);
  expect(heard(rows).slice(2)).toEqual([
    'method 12-42',
    '> find_notes 13-20',
    '> > select 14-16',
    '> get_note 22-25',
  ]);
});

test('calls that were made inside of a call are below its method, also those that still run', () => {
  const call = callOf([
    ['limits', 0, 2],
    ['method', 1, 40],
  ]);
  const inner = [
    callOf([], { number: 2, parent: 1, name: 'find_orders', at: AT + 5, durationMs: 10 }),
    callOf([], { number: 3, parent: 1, name: 'refund', at: AT + 20, durationMs: 0, state: 'running' }),
  ];
  expect(heard(waterfallOf(call, [], inner).rows)).toEqual([
    expect.stringContaining('limits'),
    expect.stringContaining('method'),
    '> find_orders 5-15',
    '> refund 20-20',
  ]);
});
