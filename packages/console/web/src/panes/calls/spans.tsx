import type { RecordedCall, RecordedSpan } from '../../../../src/api/record-api.js';
import { useAsk } from '../../data/ask.js';
import { JsonView } from '../../ui/json-view.js';
import { Badge } from '../../ui/pieces.js';
import { formatMs } from '../../ui/words.js';
import { Bar } from './steps.js';

/** A span, and how deep it lies below the span of the call. */
interface PlacedSpan {
  readonly span: RecordedSpan;
  readonly depth: number;
}

/** The trace and the span that a `traceparent` names. */
function readTraceparent(traceparent: string | undefined): { trace: string; span: string } | undefined {
  const found = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(traceparent ?? '');
  return found ? { trace: found[1]!, span: found[2]! } : undefined;
}

/**
 * The spans below one span and itself, parents before children, each level in the order of time. Spans of the same
 * trace that belong to other requests are left out.
 */
function spansBelow(spans: readonly RecordedSpan[], root: string): PlacedSpan[] {
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
function describeSpan({ attributes }: RecordedSpan): string | undefined {
  const key = telling.find((each) => typeof attributes[each] === 'string');
  if (key === undefined) return undefined;
  const method = attributes['http.request.method'] ?? attributes['http.method'];
  const text = String(attributes[key]).replace(/\s+/g, ' ').trim();
  return typeof method === 'string' && !key.startsWith('db.') ? `${method} ${text}` : text;
}

/** What the call did below its method, as OpenTelemetry saw it. */
export function Spans({ call }: { call: RecordedCall }) {
  const place = readTraceparent(call.traceparent);
  const { data: spans = [] } = useAsk('spans', place && { traceId: place.trace });
  const placed = place ? spansBelow(spans, place.span) : [];
  return (
    <section className="stack">
      <h3>Spans</h3>
      {placed.length > 0 ? <Tree placed={placed} /> : <Absent call={call} isTraced={place !== undefined} />}
    </section>
  );
}

function Tree({ placed }: { placed: readonly PlacedSpan[] }) {
  const from = Math.min(...placed.map(({ span }) => span.startMs));
  const length = Math.max(...placed.map(({ span }) => span.endMs)) - from || 1;
  return (
    <ul className="spans" aria-label="Spans">
      {placed.map(({ span, depth }) => {
        const whole = { from: span.startMs - from, to: span.endMs - from };
        const text = describeSpan(span);
        return (
          <li key={span.spanId}>
            <details>
              <summary>
                <span className="span-line">
                  <span className="span-name" style={{ paddingLeft: `${Math.min(depth, 12) * 0.8}rem` }}>
                    {span.failed && <Badge tone="bad">failed</Badge>} {span.name}
                  </span>
                  <span className="number">{formatMs(span.endMs - span.startMs)}</span>
                  <Bar length={length} whole={whole} {...(span.failed && { tone: 'bad' })} />
                </span>
                {text !== undefined && <code className="span-text">{text}</code>}
              </summary>
              <div className="span-detail">
                <p className="faint">
                  {span.kind}, began after {formatMs(whole.from)}
                </p>
                <JsonView value={span.attributes} openTo={3} label={`Attributes of ${span.name}`} />
              </div>
            </details>
          </li>
        );
      })}
    </ul>
  );
}

function Absent({ call, isTraced }: { call: RecordedCall; isTraced: boolean }) {
  if (!isTraced)
    return (
      <p className="faint">
        The SQL and HTTP of the call are shown here when the app registers an OpenTelemetry SDK with the OTLP
        exporter. "toolwright dev" tells the exporter where to send.
      </p>
    );
  return (
    <p className="faint">
      {call.state === 'running'
        ? 'Spans come when they have ended.'
        : 'No span of this call has come. An SDK sends them in batches, a moment after the call.'}
    </p>
  );
}
