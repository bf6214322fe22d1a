import type { RecordedSpan } from '../../../../../src/api/record-api.js';

/** A span, and how deep it lies below the span of the call. */
export interface PlacedSpan {
  readonly span: RecordedSpan;
  readonly depth: number;
}

/** The trace and the span that a `traceparent` names. */
export function readTraceparent(
  traceparent: string | undefined,
): { trace: string; span: string } | undefined {
  const found = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(traceparent ?? '');
  return found ? { trace: found[1]!, span: found[2]! } : undefined;
}

/**
 * The spans below one span and itself, parents before children, each level in the order of time. Spans of the same
 * trace that belong to other requests are left out.
 */
export function spansBelow(spans: readonly RecordedSpan[], root: string): PlacedSpan[] {
  const children = new Map<string, RecordedSpan[]>();
  for (const span of spans) {
    const { parentSpanId = '' } = span;
    children.set(parentSpanId, [...(children.get(parentSpanId) ?? []), span]);
  }
  const own = spans.find(({ spanId }) => spanId === root);
  const placed: PlacedSpan[] = [];
  // A hostile exporter may send spans that are parents of each other: each is placed once.
  const seen = new Set<string>();
  const waiting = own ? [{ span: own, depth: 0 }] : childrenOf(root, 0);
  while (waiting.length > 0) {
    const next = waiting.shift()!;
    if (seen.has(next.span.spanId)) continue;
    seen.add(next.span.spanId);
    placed.push(next);
    waiting.unshift(...childrenOf(next.span.spanId, next.depth + 1));
  }
  return placed;

  function childrenOf(parent: string, depth: number): PlacedSpan[] {
    const found = children.get(parent) ?? [];
    return [...found].sort((a, b) => a.startMs - b.startMs).map((span) => ({ span, depth }));
  }
}

/** The attributes that say what a span did, the most telling first. Both generations of names are in use. */
const telling = [
  'db.query.text',
  'db.statement',
  'db.query.summary',
  'url.full',
  'http.url',
  'url.path',
  'http.target',
  'http.route',
  'rpc.method',
  'messaging.destination.name',
];

/** What a span did, in one line. */
export function describeSpan({ attributes }: RecordedSpan): string | undefined {
  const key = telling.find((each) => typeof attributes[each] === 'string');
  if (key === undefined) return undefined;
  const method = attributes['http.request.method'] ?? attributes['http.method'];
  const text = String(attributes[key]).replace(/\s+/g, ' ').trim();
  return typeof method === 'string' && !key.startsWith('db.') ? `${method} ${text}` : text;
}
