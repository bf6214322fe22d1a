import { useDeferredValue, useMemo } from 'react';
import type { RecordedCall } from '../../../../src/api/record-api.js';
import { messages, useRecords } from '../../data/live.js';
import { hrefOf } from '../../shell/route.js';
import { JsonView } from '../../ui/json-view.js';
import { Badge } from '../../ui/pieces.js';
import { formatMs } from '../../ui/words.js';
import { aboutOf, messageRows, methodOf, type MessageRow } from '../traffic/message-rows.js';

/** As many messages as belong to one call, at most. */
const MOST_MESSAGES = 100;

/** The clocks of messages and calls are read one after the other. */
const NEAR_MS = 2_000;

/** The messages of a call: its request, everything on the same channel meanwhile, and its answer. */
export function messagesOf(call: RecordedCall, rows: readonly MessageRow[]): MessageRow[] {
  const id = JSON.stringify(call.requestId);
  const near = ({ record }: MessageRow) => Math.abs(record.at - call.at);
  const [request] = rows
    .filter(
      (row) =>
        row.kind === 'request' &&
        row.id === id &&
        row.record.direction === 'received' &&
        row.record.server === call.server &&
        row.record.run === call.run &&
        row.record.principal?.subject === call.principal?.subject &&
        near(row) < NEAR_MS,
    )
    .sort((a, b) => near(a) - near(b));
  if (!request) return [];
  const last = request.other?.seq ?? Number.POSITIVE_INFINITY;
  const { channel, server, run } = request.record;
  return rows
    .filter(
      ({ seq, record }) =>
        seq >= request.seq &&
        seq <= last &&
        record.channel === channel &&
        record.server === server &&
        record.run === run,
    )
    .slice(0, MOST_MESSAGES);
}

/** What was said between the client and the server during a call. */
export function CallMessages({ call }: { call: RecordedCall }) {
  const records = useDeferredValue(useRecords(messages));
  const found = useMemo(() => messagesOf(call, messageRows.of(records)), [call, records]);
  return (
    <section className="stack">
      <h3>Messages</h3>
      {found.length === 0 && (
        <p className="faint">The console does not have the messages of this call any more.</p>
      )}
      <ul className="call-messages" aria-label="Messages of this call">
        {found.map((row) => (
          <li key={row.seq}>
            <details>
              <summary>
                <Badge tone={row.hasFailed ? 'bad' : 'plain'}>
                  {row.record.direction === 'received' ? 'from the client' : 'from the server'}
                </Badge>{' '}
                {row.kind} <strong>{methodOf(row)}</strong> {aboutOf(row)}{' '}
                <span className="faint">after {formatMs(Math.max(0, row.record.at - call.at))}</span>
              </summary>
              <JsonView value={row.record.message} openTo={4} label={`The ${row.kind}`} />
              <a href={hrefOf('traffic', String(row.seq))}>open in Traffic</a>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
