import { RotateCcw } from 'lucide-react';
import type { RecordedCall } from '../../../../src/api/record-api.js';
import { useOverview, useSurface } from '../../data/current.js';
import { setDraft } from '../../data/live.js';
import { go, hrefOf } from '../../shell/route.js';
import { Badge, Facts, SourceLink, Button } from '../../ui/pieces.js';
import { formatClock, formatMs, kindNames } from '../../ui/words.js';
import { JsonView } from '../../ui/json-view.js';
import { type CallRow, operationOf, stateOf } from './call-rows.js';
import { CallMessages } from './call-messages.js';
import { refusalOf, RefusalView } from './refusal-view.js';
import { StateBadge } from './call-chart.js';
import { ProgramView } from './program-view.js';
import { Waterfall } from './waterfall.js';

/** One call: who made it, its time line, its arguments and its messages. */
export function TraceView({ row }: { row: CallRow }) {
  const { call } = row;
  const state = stateOf(row);
  const { data: surface } = useSurface();
  const overview = useOverview();
  const operation = operationOf(call, surface?.operations ?? []);
  const canReplay = operation !== undefined && overview?.access.includes('call') === true;
  const replay = () => {
    if (!operation) return;
    setDraft(operation.kind, operation.key, { ...call.arguments });
    go('tools', operation.kind, operation.key);
  };
  return (
    <article className="stack">
      <header className="stack">
        <div className="row">
          <h2>
            {operation ? <a href={hrefOf('tools', operation.kind, operation.key)}>{call.name}</a> : call.name}
          </h2>
          <Badge>{kindNames[call.kind]}</Badge>
          <StateBadge state={state} />
          {state !== 'running' && <span className="faint">{formatMs(call.durationMs)}</span>}
          <span className="grow" />
          {canReplay && (
            <Button onClick={replay} title="Opens the form with these arguments">
              <RotateCcw size={15} aria-hidden /> Replay
            </Button>
          )}
        </div>
        {call.reason && !refusalOf(call) && (
          <p className="problem">
            <code>{call.reason}</code>
            {call.reference && (
              <>
                {' '}
                The caller got the reference <code>{call.reference}</code>. The log has it, too.
              </>
            )}
          </p>
        )}
        <RefusalView call={call} />
        {operation?.location && (
          <p className="row faint">
            {operation.method} <SourceLink location={operation.location} />
          </p>
        )}
      </header>
      <Waterfall call={call} isRunning={state === 'running'} method={operation?.method} />
      {call.program && <ProgramView program={call.program} />}
      <CallFacts call={call} />
      <section className="stack">
        <h3>Arguments</h3>
        <JsonView value={call.arguments} openTo={4} label="Arguments" />
      </section>
      <CallMessages call={call} />
    </article>
  );
}

function CallFacts({ call }: { call: RecordedCall }) {
  const { at, client, principal, transport, revision, requestId, traceparent, number, run } = call;
  return (
    <Facts
      facts={[
        { name: 'Began', value: formatClock(at) },
        { name: 'Client', value: client && `${client.title ?? client.name} ${client.version}` },
        { name: 'Caller', value: principal?.subject ?? 'anonymous' },
        { name: 'Transport', value: `${transport}, ${revision}` },
        { name: 'Request', value: `${JSON.stringify(requestId)}, call ${number} of run ${run}` },
        { name: 'Trace', value: traceparent, isWide: true },
      ]}
    />
  );
}
