import type { TracedStep } from '@toolwright/core/operate';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo } from 'react';
import type { RecordedCall } from '../../../../src/api/record-api.js';
import { useAsk } from '../../data/ask.js';
import { calls, useRecords } from '../../data/live.js';
import { hrefOf } from '../../shell/route.js';
import { JsonView } from '../../ui/json-view.js';
import { Badge, Facts, type Tone } from '../../ui/pieces.js';
import { formatMs } from '../../ui/words.js';
import { StateBadge } from './call-chart.js';
import { innerCallsOf } from './call-rows.js';
import { describeSpan, sortOf } from './describe-span.js';
import { FailureView } from './failure-view.js';
import {
  type InnerRow,
  readTraceparent,
  type SpanRow,
  type StepRow,
  type Stretch,
  type WaterfallRow,
  waterfallOf,
} from './waterfall-rows.js';
import './waterfall.css';

interface Props {
  readonly call: RecordedCall;
  readonly isRunning: boolean;
  /** The class and the method that answer the call. */
  readonly method: string | undefined;
}

/**
 * The call as one time line: its request, each guard, the method, and the queries and requests that they made. An
 * unexpected error is below the step that threw it, with its line and its stack.
 */
export function Waterfall({ call, isRunning, method }: Props) {
  const place = readTraceparent(call.traceparent);
  const { data: spans } = useAsk('spans', place && { traceId: place.trace });
  const records = useDeferredValue(useRecords(calls));
  const inner = useMemo(() => innerCallsOf(call, records), [call, records]);
  const { rows, lengthMs } = useMemo(() => waterfallOf(call, spans ?? [], inner), [call, spans, inner]);
  const failed = rows.findLast((row): row is StepRow => 'step' in row && row.step.verdict === 'failed');
  const hasSpans = rows.some((row) => 'span' in row);
  return (
    <section className="stack">
      <div className="row">
        <h3>Time line</h3>
        <span className="faint">{sharesOf(call)}</span>
      </div>
      {call.steps.length === 0 && (
        <p className="faint">
          {isRunning ? 'The steps are shown when the call has ended.' : 'No step was reached.'}
        </p>
      )}
      {rows.length > 0 && (
        <div className="waterfall">
          <div className="waterfall-line waterfall-axis" aria-hidden>
            <span />
            <span />
            <span className="waterfall-ticks">
              {[0, 0.25, 0.5, 0.75].map((share) => (
                <span key={share}>{share === 0 ? '0' : formatMs(lengthMs * share)}</span>
              ))}
            </span>
          </div>
          <ol aria-label={`Time line of ${formatMs(lengthMs)}`} onKeyDown={moveFocus}>
            {rows.map((row) => (
              <li key={row.key}>
                <Row row={row} lengthMs={lengthMs} method={method} />
                {row === failed && <FailureView reference={call.reference} />}
              </li>
            ))}
          </ol>
        </div>
      )}
      {!failed && <FailureView reference={call.reference} />}
      {!hasSpans && <WithoutSpans isTraced={place !== undefined} isRunning={isRunning} />}
    </section>
  );
}

/** Where the time went, in one line. */
function sharesOf({ steps }: RecordedCall): string {
  const method = steps.find(({ name }) => name === 'method');
  const guards = steps.filter((each) => each !== method);
  const guardsMs = guards.reduce((sum, { ownMs }) => sum + ownMs, 0);
  const parts = [
    ...(guards.length > 0
      ? [`${formatMs(guardsMs)} in ${guards.length} guard${guards.length === 1 ? '' : 's'}`]
      : []),
    ...(method ? [`${formatMs(method.ownMs)} in the method`] : []),
  ];
  return parts.join(', ');
}

function Row({ row, lengthMs, method }: { row: WaterfallRow; lengthMs: number; method: string | undefined }) {
  if ('step' in row) return <Step row={row} lengthMs={lengthMs} method={method} />;
  return 'inner' in row ? <Inner row={row} lengthMs={lengthMs} /> : <Span row={row} lengthMs={lengthMs} />;
}

/** A call inside of the call. It has a time line of its own. */
function Inner({ row: { inner, depth, whole }, lengthMs }: { row: InnerRow; lengthMs: number }) {
  const { server, run, number, name, durationMs, reason, outcome = 'running' } = inner;
  const isWrong = !['ok', 'asking', 'running'].includes(outcome);
  return (
    <details>
      <summary>
        <span className="waterfall-line">
          <Name depth={depth} badge={<StateBadge state={outcome} />}>
            <span className="waterfall-sort">calls</span> {name}
          </Name>
          <span className="number">{formatMs(durationMs)}</span>
          <Bar lengthMs={lengthMs} whole={whole} own={[whole]} tone={isWrong ? 'bad' : 'span'} />
        </span>
        {reason !== undefined && <Note depth={depth}>{reason}</Note>}
      </summary>
      <div className="waterfall-detail">
        <JsonView value={inner.arguments} openTo={3} label={`Arguments of ${name}`} />
        <a href={hrefOf('calls', server, String(run), String(number))}>its own time line</a>
      </div>
    </details>
  );
}

const verdictTones: Readonly<Record<NonNullable<TracedStep['verdict']>, Tone>> = {
  passed: 'plain',
  answered: 'good',
  refused: 'warn',
  failed: 'bad',
};

function Step({ row, lengthMs, method }: { row: StepRow; lengthMs: number; method: string | undefined }) {
  const { name, origin, detail, verdict, ownMs } = row.step;
  const isMethod = name === 'method';
  const tone = verdict === undefined ? 'info' : verdictTones[verdict];
  // What a guard looked at matters when it ended the call. Otherwise it is one key away.
  const isTelling = verdict !== 'passed' && !isMethod;
  return (
    <details>
      <summary>
        <span className="waterfall-line">
          <Name depth={row.depth} badge={<Badge tone={tone}>{verdict ?? 'running'}</Badge>}>
            <span className={isMethod ? 'waterfall-method' : undefined}>
              {isMethod ? (method ?? name) : name}
            </span>
          </Name>
          <span className="number">{formatMs(ownMs)}</span>
          <Bar
            lengthMs={lengthMs}
            whole={row.whole}
            own={row.own}
            tone={verdict === 'passed' ? 'plain' : tone}
          />
        </span>
        {detail && isTelling && <Note depth={row.depth}>{detail}</Note>}
      </summary>
      <div className="waterfall-detail">
        <Facts
          facts={[
            ...(isMethod ? [] : [{ name: 'Where the guard comes from', value: origin }]),
            { name: 'What it looked at', value: detail, isWide: true },
            { name: 'Began after', value: formatMs(row.whole.from) },
            { name: 'Its own work', value: formatMs(ownMs) },
            { name: 'With all inside it', value: formatMs(row.whole.to - row.whole.from) },
          ]}
        />
      </div>
    </details>
  );
}

function Span({ row: { span, depth, whole }, lengthMs }: { row: SpanRow; lengthMs: number }) {
  const text = describeSpan(span);
  return (
    <details>
      <summary>
        <span className="waterfall-line">
          <Name depth={depth} badge={span.failed && <Badge tone="bad">failed</Badge>}>
            <span className="waterfall-sort">{sortOf(span)}</span> {span.name}
          </Name>
          <span className="number">{formatMs(span.endMs - span.startMs)}</span>
          <Bar lengthMs={lengthMs} whole={whole} own={[whole]} tone={span.failed ? 'bad' : 'span'} />
        </span>
        {text !== undefined && <Note depth={depth}>{text}</Note>}
      </summary>
      <div className="waterfall-detail">
        <p className="faint">
          {span.kind}, began {whole.from < 0 ? 'before the call' : `after ${formatMs(whole.from)}`}
        </p>
        <JsonView value={span.attributes} openTo={3} label={`Attributes of ${span.name}`} />
      </div>
    </details>
  );
}

const indent = (depth: number) => ({ paddingLeft: `${Math.min(depth, 10) * 0.8}rem` });

function Name({ depth, badge, children }: { depth: number; badge: ReactNode; children: ReactNode }) {
  return (
    <span className="waterfall-name" style={indent(depth)}>
      <span className="waterfall-text">{children}</span> {badge}
    </span>
  );
}

/** What a guard looked at, or what a span asked. */
function Note({ depth, children }: { depth: number; children: string }) {
  return (
    <code className="waterfall-note" style={indent(depth)}>
      {children}
    </code>
  );
}

interface BarProps {
  readonly lengthMs: number;
  readonly whole: Stretch;
  readonly own: readonly Stretch[];
  readonly tone: Tone | 'span';
}

/** A stretch of the time line. Its figures stand beside it as text. What lies outside of the line is at its edge. */
function Bar({ lengthMs, whole, own, tone }: BarProps) {
  const place = ({ from, to }: Stretch) => {
    const share = (ms: number) => Math.min(Math.max(ms / lengthMs, 0), 1);
    const left = `min(${share(from) * 100}%, 100% - 2px)`;
    return { left, width: `max(2px, ${(share(to) - share(from)) * 100}%)` };
  };
  return (
    <span className="bar" aria-hidden>
      <span className="bar-whole" style={place(whole)} />
      {own.map((each, index) => (
        <span key={index} className={`bar-own ${tone}`} style={place(each)} />
      ))}
    </span>
  );
}

/** Arrow keys go from row to row. */
function moveFocus(event: KeyboardEvent<HTMLOListElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(':scope > li > details > summary')];
  const at = rows.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  rows[to]?.focus();
}

function WithoutSpans({ isTraced, isRunning }: { isTraced: boolean; isRunning: boolean }) {
  if (!isTraced)
    return (
      <p className="faint">
        The database queries and HTTP requests of the call are shown here, too, when the app registers an
        OpenTelemetry SDK with the OTLP exporter. "toolwright dev" gives the exporter its address.
      </p>
    );
  return (
    <p className="faint">
      {isRunning
        ? 'Queries and requests are shown when they have ended.'
        : 'OpenTelemetry has sent nothing of this call. An SDK sends in batches, a moment after the call.'}
    </p>
  );
}
