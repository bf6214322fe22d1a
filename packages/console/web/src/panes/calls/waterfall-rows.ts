import type { TracedStep } from '@toolwright/core/operate';
import type { RecordedCall, RecordedSpan } from '../../../../src/api/record-api.js';
import { groupBy } from '../../data/group-by.js';

/** A part of the time line, in milliseconds after its begin. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface Placed {
  readonly key: string;
  /** How many rows it lies in. */
  readonly depth: number;
  /** All of it, with what lies inside it. */
  readonly whole: Stretch;
}

/** A guard or the method of the call. */
export interface StepRow extends Placed {
  readonly step: TracedStep;
  /** Its own work, before and after the steps inside it. */
  readonly own: readonly Stretch[];
}

/** A span of OpenTelemetry. */
export interface SpanRow extends Placed {
  readonly span: RecordedSpan;
}

/** A call that a program has made, or another tool that calls tools. */
export interface InnerRow extends Placed {
  readonly inner: RecordedCall;
}

export type WaterfallRow = StepRow | SpanRow | InnerRow;

/** A call as one time line: the request, each guard, the method, and what they asked of others. */
export interface Waterfall {
  /** The rows that lie within this one in time. They are below it, the earliest first. */
  readonly rows: readonly WaterfallRow[];
  readonly lengthMs: number;
}

/** The trace and the span that a `traceparent` names. */
export function readTraceparent(
  traceparent: string | undefined,
): { trace: string; span: string } | undefined {
  const found = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(traceparent ?? '');
  return found ? { trace: found[1]!, span: found[2]! } : undefined;
}

const spanOf = ({ traceparent }: RecordedCall) => readTraceparent(traceparent)?.span;

/**
 * Spans begin at full milliseconds of the clock of the day, and steps are measured more finely. So a span may seem to
 * begin up to this much before the step that it belongs to.
 */
const CLOCK_MS = 1;

/**
 * @param spans those of the trace of the call. Spans of other requests of the trace are left out.
 * @param inner the calls that were made inside of it. They are below its method
 */
export function waterfallOf(
  call: RecordedCall,
  spans: readonly RecordedSpan[],
  inner: readonly RecordedCall[] = [],
): Waterfall {
  const { steps } = call;
  const bars = stepBars(steps);
  const callMs = Math.max(call.durationMs, ...bars.map(({ whole }) => whole.to));
  const own = spanOf(call);
  const request = spans.find(({ spanId }) => spanId === own);
  const lineAt = request?.startMs ?? call.at;
  // The call lies inside the span of its request, also where the two clocks differ.
  const latest = request ? Math.max(0, request.endMs - callMs - lineAt) : 0;
  const shift = Math.min(Math.max(call.at - lineAt, 0), latest);
  const lengthMs = Math.max(shift + callMs, request ? request.endMs - lineAt : 0) || 1;

  const tree = new SpanTree(spans, lineAt, inner);
  const depth = request ? 1 : 0;
  const rows: WaterfallRow[] = request ? [tree.row(request, 0)] : [];
  const within = groupBy(own === undefined ? [] : tree.below(own), ({ startMs }) => {
    const from = startMs - lineAt - shift;
    return bars.findLastIndex(({ whole }) => whole.from <= from + CLOCK_MS && from <= whole.to);
  });
  /** What outer steps asked after the steps inside them had ended. */
  const after: WaterfallRow[] = [];
  bars.forEach((bar, index) => {
    const move = ({ from, to }: Stretch): Stretch => ({ from: from + shift, to: to + shift });
    const step = steps[index]!;
    rows.push({ key: `step ${index}`, depth, whole: move(bar.whole), own: bar.own.map(move), step });
    const innerAt = lineAt + shift + (bars[index + 1]?.whole.from ?? Number.POSITIVE_INFINITY);
    const here = within.get(index) ?? [];
    rows.push(
      ...tree.rows(
        here.filter(({ startMs }) => startMs < innerAt),
        depth + 1,
      ),
    );
    after.unshift(
      ...tree.rows(
        here.filter(({ startMs }) => startMs >= innerAt),
        depth + 1,
      ),
    );
  });
  const outside = tree.rows(within.get(NO_STEP) ?? [], depth);
  for (const each of tree.untraced()) {
    const from = Math.max(each.at - call.at, 0) + shift;
    rows.push(innerRow(each, depth + 1, { from, to: from + each.durationMs }));
  }
  rows.push(...after, ...outside);
  return { rows, lengthMs };
}

function innerRow(inner: RecordedCall, depth: number, whole: Stretch): InnerRow {
  return { key: `call ${inner.number}`, depth, whole, inner };
}

/** What `findLastIndex` answers for a span that no step made. */
const NO_STEP = -1;

/** The spans of a trace as rows. The span of a call inside of the call is the row of that call. */
class SpanTree {
  readonly #children: ReadonlyMap<string | undefined, RecordedSpan[]>;
  /** A hostile exporter may send spans that are parents of each other: each has one row. */
  readonly #seen = new Set<string>();
  readonly #inner: ReadonlyMap<string | undefined, RecordedCall>;
  readonly #untraced: Set<RecordedCall>;

  /** @param lineAt where the time line begins, in milliseconds since the epoch */
  constructor(
    spans: readonly RecordedSpan[],
    private readonly lineAt: number,
    inner: readonly RecordedCall[],
  ) {
    this.#children = groupBy(spans, ({ parentSpanId }) => parentSpanId);
    this.#inner = new Map(inner.map((each) => [spanOf(each), each]));
    this.#untraced = new Set(inner);
  }

  /** The spans of which a span is the parent, in the order of time. */
  below(parent: string): RecordedSpan[] {
    return [...(this.#children.get(parent) ?? [])].sort((a, b) => a.startMs - b.startMs);
  }

  row(span: RecordedSpan, depth: number): SpanRow | InnerRow {
    this.#seen.add(span.spanId);
    const whole = { from: span.startMs - this.lineAt, to: span.endMs - this.lineAt };
    const inner = this.#inner.get(span.spanId);
    if (!inner) return { key: span.spanId, depth, whole, span };
    this.#untraced.delete(inner);
    return innerRow(inner, depth, whole);
  }

  /** The calls inside of the call that no row has. */
  untraced(): readonly RecordedCall[] {
    return [...this.#untraced];
  }

  /** Spans and all below them. There is no recursion: spans lie in each other as deep as their sender wants. */
  rows(spans: readonly RecordedSpan[], depth: number): (SpanRow | InnerRow)[] {
    const rows: (SpanRow | InnerRow)[] = [];
    const waiting = spans.map((span) => ({ span, depth }));
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { span, depth: at } = next;
      if (this.#seen.has(span.spanId)) continue;
      rows.push(this.row(span, at));
      waiting.unshift(...this.below(span.spanId).map((each) => ({ span: each, depth: at + 1 })));
    }
    return rows;
  }
}

/**
 * When each step ran, outermost first. A step knows when it began and how long it took without the steps inside it. They
 * lie in each other, so a step takes as long as its own work and the next step together.
 */
function stepBars(steps: readonly TracedStep[]): { whole: Stretch; own: readonly Stretch[] }[] {
  const bars: { whole: Stretch; own: readonly Stretch[] }[] = [];
  let innerMs = 0;
  for (let index = steps.length - 1; index >= 0; index--) {
    const { beganMs, ownMs } = steps[index]!;
    const inner = steps[index + 1];
    const wholeMs = ownMs + innerMs;
    const whole = { from: beganMs, to: beganMs + wholeMs };
    const before = inner ? Math.min(Math.max(inner.beganMs - beganMs, 0), ownMs) : wholeMs;
    const work = [
      { from: beganMs, to: beganMs + before },
      { from: whole.to - (ownMs - before), to: whole.to },
    ];
    bars.unshift({ whole, own: inner ? work : [whole] });
    innerMs = wholeMs;
  }
  return bars;
}
