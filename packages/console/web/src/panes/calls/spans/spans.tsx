import type { RecordedCall } from '../../../../../src/api/record-api.js';
import { useAsk } from '../../../data/ask.js';
import { Badge } from '../../../ui/badge.js';
import { formatMs } from '../../../ui/format-time.js';
import { JsonView } from '../../../ui/json-view.js';
import { Bar } from '../bar.js';
import { describeSpan, readTraceparent, spansBelow, type PlacedSpan } from './span-tree.js';

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
